import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Pool } from '#src/core/pools/pool.ts'
import { poolIdOf } from '#src/core/pools/poolKind.ts'
import { deepPools, wildPools } from '#test/support/arbitraries/graphArbitrary.ts'
import { changedBetween, createGraph, poolsOf, regraph, updateGraph } from './graph.ts'

const twoStates = fc.tuple(wildPools, fc.oneof(wildPools, deepPools))

const isSameSet = ([before, changed]: [Pool[], Pool[]]) => changed.length <= before.length

/** The first pools in the states of others. */
const movedOf = (before: readonly Pool[], changed: readonly Pool[]): readonly Pool[] =>
  changed.flatMap((pool, number) => {
    const { kind, address, id, currency0, currency1 } = before[number] as Pool
    return pool.kind === kind ? [{ ...pool, address, id, currency0, currency1 }] : []
  }) as Pool[]

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
    fc.assert(
      fc.property(twoStates.filter(isSameSet), ([before, changed]) => {
        const graph = createGraph(before)
        expect(updateGraph(graph, movedOf(before, changed)).topology).toBe(graph.topology)
      }),
    )
  })
})

describe('changedBetween', () => {
  it('has the places of all pools that differ, and knows no other pools', () => {
    fc.assert(
      fc.property(twoStates.filter(isSameSet), ([before, changed]) => {
        const graph = createGraph(before)
        const updated = updateGraph(graph, movedOf(before, changed))
        const numbers = changedBetween(graph.pools, updated.pools)
        // If a pool is new, the graph is rebuilt.
        expect(numbers !== undefined).toBe(updated.topology === graph.topology)
        const differ = [...updated.pools.keys()].filter(
          (at) => updated.pools[at] !== graph.pools[at],
        )
        if (numbers !== undefined) for (const at of differ) expect(numbers).toContain(at)
        expect(changedBetween(updated.pools, graph.pools)).toBeUndefined()
        expect(changedBetween([...graph.pools], updated.pools)).toBeUndefined()
      }),
    )
  })
})

describe('regraph', () => {
  it('equals a new graph, whether pools changed, came or went', () => {
    const kept = fc.infiniteStream(fc.boolean())
    fc.assert(
      fc.property(twoStates, kept, ([before, changed], isKept) => {
        const graph = createGraph(before)
        const merged = poolsOf(updateGraph(graph, changed))
        for (const pools of [merged, merged.filter(() => isKept.next().value === true)])
          expect(regraph(graph, pools)).toEqual(createGraph(pools))
      }),
    )
  })

  it('is the same graph if nothing changed', () => {
    fc.assert(
      fc.property(wildPools, (pools) => {
        const graph = createGraph(pools)
        expect(regraph(graph, [...poolsOf(graph)].reverse())).toBe(graph)
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
