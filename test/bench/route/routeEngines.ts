import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as findRoutes from '#src/core/router/findRoute.ts'
import * as graphs from '#src/core/router/graph.ts'
import type { Trade } from './executeTrade.ts'
import type { BenchMarket, BenchQuery } from './marketFile.ts'

/** A router that is prepared with a market. The work that it does between blocks is not measured. */
export type RouteEngine = Readonly<{
  name: string
  /** Rounds of all queries before and during the measurement. Slow engines run fewer rounds. */
  warmUps: number
  runs: number
  /** Clears caches of earlier queries. Its time is not measured. */
  forget?: () => void
  findTrade: (query: BenchQuery) => Trade | Promise<Trade>
}>

type Router = Pick<typeof findRoutes, 'findRoute'> &
  Pick<typeof graphs, 'createGraph' | 'updateGraph'>

/** The router of another checkout. */
export async function loadRouter(folder: string): Promise<Router> {
  const file = (name: string) =>
    import(pathToFileURL(resolve(folder, 'src/core/router', name)).href)
  return { ...(await file('findRoute.ts')), ...(await file('graph.ts')) }
}

/** @param maxHops defaults to the gateway’s value. */
export function createCrossquote(
  { pools }: Pick<BenchMarket, 'pools'>,
  maxHops?: number,
  { findRoute, createGraph, updateGraph }: Router = { ...findRoutes, ...graphs },
): RouteEngine {
  let graph = createGraph(pools)
  return {
    name: maxHops === undefined ? 'Crossquote' : `Crossquote, up to ${maxHops} hops`,
    warmUps: 5,
    runs: 15,
    // Plans are cached by graph. A new graph with the same pools starts with an empty cache.
    forget: () => {
      graph = updateGraph(graph, [])
    },
    findTrade: ({ input, output, amount }) => {
      const route = findRoute(graph, {
        input,
        output,
        mode: 'exactInput',
        amount,
        gasPrice: 0,
        ...(maxHops !== undefined && { maxHops }),
      })
      const paths = route?.paths.map(({ amountIn, hops }) => ({
        amountIn,
        pools: hops.map(({ pool }) => pool.address),
      }))
      return { kind: 'paths', paths: paths ?? [] }
    },
  }
}

/**
 * The routes there would be if several paths could share a Slipstream pool at the fee of its first swap: about what the swaps
 * of a pool would give as one.
 */
export const createSharing = ({ pools }: BenchMarket): RouteEngine => ({
  ...createCrossquote({
    pools: pools.map((pool) =>
      pool.kind === 'slipstream' ? { ...pool, kind: 'concentrated' } : pool,
    ),
  }),
  name: 'If paths shared all pools',
})
