import { describe, expect, test } from 'vitest'
import { currencyPlans } from './chainPlan.ts'
import { bridgedSolPools, poolPlans } from './poolPlan.ts'

describe.each(['ETH', 'BNB'] as const)('the pools of a chain that runs on %s', (native) => {
  const pools = poolPlans(native)
  const tradable = pools.filter(({ state, depthUsd }) => state === 'live' && depthUsd > 0n)

  /** Fewest pools between the native currency and each that can be reached. */
  const hops = new Map([[`W${native}`, 0]])
  for (const [symbol, count] of hops)
    for (const { pair } of tradable.filter(({ pair }) => pair.includes(symbol)))
      for (const next of pair) if (!hops.has(next)) hops.set(next, count + 1)

  test('join all currencies, some by two or three hops only', () => {
    expect([...hops.keys()].sort()).toEqual(
      currencyPlans(native)
        .map(({ symbol }) => symbol)
        .sort(),
    )
    expect(hops.get('BIRCH')).toBe(2)
    expect(hops.get('ELM')).toBe(2)
    expect(hops.get('GROVE')).toBe(3)
  })

  test('join bridged SOL with currencies that the chain has, where it is bridged', () => {
    const symbols = new Set(currencyPlans(native).map(({ symbol }) => symbol))
    for (const { pair } of bridgedSolPools(native)) {
      expect(pair[0]).toBe('SOL')
      expect(symbols).toContain(pair[1])
    }
  })

  test('are many, of every fee tier and both versions, and some hold nothing', () => {
    expect(pools.length).toBeGreaterThanOrEqual(24)
    const tiers = new Set(pools.map((pool) => (pool.version === 3 ? pool.fee : 'v2')))
    expect([...tiers].sort()).toEqual([100, 10_000, 3000, 500, 'v2'])
    expect(pools.filter(({ state }) => state === 'drained')).toHaveLength(2)
    expect(pools.filter(({ depthUsd }) => depthUsd === 0n)).toHaveLength(1)
  })
})
