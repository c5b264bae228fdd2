import type { Address } from '#src/units/address.ts'
import type { PoolGraph } from './graph.ts'
import { depthSize, reserveIn, reserveOut } from './router/depths.ts'

const maxHops = 4

/** By graph and input: graphs never change, so what was found for one stays true. */
const known = new WeakMap<PoolGraph, Map<Address, Float64Array>>()

/**
 * Raw units of `output` that the first unit of `input` buys along the best walk of four hops, pool
 * fees included: since every further unit buys less, no route buys more than this for each unit.
 * 1 where both are the same, 0 where nothing joins them.
 */
export function bestRate(graph: PoolGraph, input: Address, output: Address): number {
  if (input === output) return 1
  const { currencyNumbers } = graph.topology
  const start = currencyNumbers.get(input)
  const end = currencyNumbers.get(output)
  if (start === undefined || end === undefined) return 0
  const rates = ratesFrom(graph, input, start)
  return rates[end] as number
}

function ratesFrom(graph: PoolGraph, input: Address, start: number): Float64Array {
  const byInput = known.get(graph) ?? new Map<Address, Float64Array>()
  known.set(graph, byInput)
  const before = byInput.get(input)
  if (before !== undefined) return before
  let rates = new Float64Array(graph.topology.edgesFrom.length)
  rates[start] = 1
  for (let hops = 1; hops <= maxHops; hops++) rates = oneHopFurther(graph, rates)
  byInput.set(input, rates)
  return rates
}

function oneHopFurther(
  { topology, depths }: PoolGraph,
  rates: Float64Array,
): Float64Array<ArrayBuffer> {
  const further = new Float64Array(rates)
  const { inputs, outputs } = topology
  for (let edge = 0; edge < inputs.length; edge++) {
    const reached = rates[inputs[edge] as number] as number
    const offset = edge * depthSize
    const rate = (depths[offset + reserveOut] as number) / (depths[offset + reserveIn] as number)
    const output = outputs[edge] as number
    if (reached * rate > (further[output] as number)) further[output] = reached * rate
  }
  return further
}
