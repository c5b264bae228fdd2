import { findRoute } from '#src/pricing/router/findRoute.ts'
import { createGraph, updateGraph } from '#src/pricing/router/graph.ts'
import type { Trade } from './executeTrade.ts'
import type { BenchMarket, BenchQuery } from './marketFile.ts'

/** A router, prepared with a market: what it does between blocks is not measured. */
export type RouteEngine = Readonly<{
  name: string
  /** How often all queries are run, before and while times are taken: less where they take long. */
  warmUps: number
  runs: number
  /** Forgets what it remembers of earlier queries; its time is not taken. */
  forget?: () => void
  findTrade: (query: BenchQuery) => Trade | Promise<Trade>
}>

/** @param maxHops as the gateway has it unless given. */
export function createCrossquote(market: BenchMarket, maxHops?: number): RouteEngine {
  let graph = createGraph(market.pools)
  return {
    name: maxHops === undefined ? 'Crossquote' : `Crossquote, up to ${maxHops} hops`,
    warmUps: 5,
    runs: 15,
    // Plans are remembered by graph: this is another one, of the same pools.
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
