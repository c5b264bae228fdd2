import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Pool } from '#src/pools/pool.ts'
import { poolIdOf } from '#src/pools/poolIdentity.ts'
import { deepPools, wildPools } from '#test/support/arbitraries/graphArbitrary.ts'
import { createGraph, poolsOf, updateGraph } from './graph.ts'

const twoStates = fc.tuple(wildPools, fc.oneof(wildPools, deepPools))

describe('updateGraph', () => {
  it('equals a new graph of the pools, old and changed', () => {
    fc.assert(
      fc.property(twoStates, ([before, changed]) => {
        const updated = updateGraph(createGraph(before), changed)
        expect(updated).toEqual(createGraph([...before, ...changed]))
      }),
    )
  })

  it('leaves the old graph as it was', () => {
    fc.assert(
      fc.property(twoStates, ([before, changed]) => {
        const graph = createGraph(before)
        updateGraph(graph, changed)
        expect(graph).toEqual(createGraph(before))
      }),
    )
  })

  it('shares the topology', () => {
    const isSameSet = ([before, changed]: [Pool[], Pool[]]) => changed.length <= before.length
    fc.assert(
      fc.property(twoStates.filter(isSameSet), ([before, changed]) => {
        const moved = changed.flatMap((pool, number) => {
          const { kind, address, id, currency0, currency1 } = before[number] as Pool
          return pool.kind === kind ? [{ ...pool, address, id, currency0, currency1 }] : []
        }) as Pool[]
        const graph = createGraph(before)
        expect(updateGraph(graph, moved).topology).toBe(graph.topology)
      }),
    )
  })
})

describe('poolsOf', () => {
  it('has each pool once in its last state, in ascending order', () => {
    fc.assert(
      fc.property(twoStates, ([before, changed]) => {
        const pools = poolsOf(createGraph([...before, ...changed]))
        const latest = new Map([...before, ...changed].map((pool) => [poolIdOf(pool), pool]))
        expect(new Set(pools)).toEqual(new Set(latest.values()))
        expect(pools.map(poolIdOf)).toEqual([...latest.keys()].sort())
      }),
    )
  })
})
