import type { Pool } from '#src/pools/pool.ts'
import type { Address } from '#src/units/address.ts'
import { type Amount, toAmount } from '#src/units/amount.ts'
import type { PoolGraph } from './graph.ts'
import type { Route } from './route.ts'
import { executeInput, executeOutput } from './router/execution.ts'
import { type EdgePath, type FoundPath, searchPaths } from './router/searchPaths.ts'
import { createTrial, inputFor, outputFor } from './router/trial.ts'

/** What may be swapped for what, and through which pools. */
export type SwapQuery = Readonly<{
  input: Address
  output: Address
  /** Which side's amount is given. */
  kind: 'exactInput' | 'exactOutput'
  /** 1 to 6; 4 unless given. */
  maxHops?: number
  maxPaths?: number
  /** Pools for which it is false are left out. */
  allowsPool?: (pool: Pool) => boolean
}>

export type RouteQuery = SwapQuery &
  Readonly<{
    /** Of the input, or for an exact output, of the output. */
    amount: Amount
    /** Raw units of the other side that one unit of gas is worth; 0 leaves gas out. */
    gasPrice: number
  }>

/** The best route that is found; undefined where no pools join the two deeply enough. */
export function findRoute(graph: PoolGraph, query: RouteQuery): Route | undefined {
  const { currencyNumbers } = graph.topology
  const input = currencyNumbers.get(query.input)
  const output = currencyNumbers.get(query.output)
  if (input === undefined || output === undefined || input === output) return undefined
  const trial = createTrial(graph, query.allowsPool)
  const amount = Number(query.amount)
  const paths: FoundPath[] =
    query.kind === 'exactInput'
      ? searchPaths(trial, {
          direction: 'forwards',
          start: input,
          end: output,
          maxHops: query.maxHops ?? 4,
          score: amount,
          carry: (edge, paid) => outputFor(trial, edge, paid),
          discount: () => 1,
        })
      : searchPaths(trial, {
          direction: 'backwards',
          start: output,
          end: input,
          maxHops: query.maxHops ?? 4,
          score: 1 / amount,
          carry: (edge, share) => 1 / inputFor(trial, edge, 1 / share),
          discount: () => 1,
        })
  for (const { edges } of paths) {
    const route = alongOne(graph, query, edges)
    if (route !== undefined) return route
  }
  return undefined
}

function alongOne(graph: PoolGraph, query: RouteQuery, edges: EdgePath): Route | undefined {
  const { input, output, amount, kind } = query
  const execute = kind === 'exactInput' ? executeInput : executeOutput
  const path = execute(graph, new Map(), edges, amount)?.path
  return (
    path && { input, output, amountIn: path.amountIn, amountOut: path.amountOut, paths: [path] }
  )
}

/** The most of the given side's amount that a route can be found for; undefined where no path joins the two. */
export function findLimit(graph: PoolGraph, query: SwapQuery): Amount | undefined {
  const works = (amount: bigint) =>
    findRoute(graph, { ...query, amount: toAmount(amount), gasPrice: 0 }) !== undefined
  let low = 0n
  for (let bit = 1n << 120n; bit > 0n; bit >>= 1n) if (works(low + bit)) low += bit
  return low === 0n ? undefined : toAmount(low)
}
