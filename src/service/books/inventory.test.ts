import { describe, expect, it } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import { nativeAddress } from '#src/core/units/address.ts'
import {
  currencyOf,
  destinationChain,
  market,
  originChain,
} from '#test/support/fixtures/markets.ts'
import { crossingCost } from './crossingCost.ts'
import { createInventory } from './inventory.ts'

const symbols = ['ETH', 'USDC'] as const
const currencies = [originChain, destinationChain].flatMap((chainId) =>
  symbols.map((symbol) => currencyOf(chainId, symbol)),
)
const assets = symbols.map((symbol) => ({
  symbol,
  currencies: [originChain, destinationChain].map((chainId) => currencyOf(chainId, symbol)),
}))

type Targets = readonly Readonly<{
  chainId: number
  currency: string
  amount: string
  minimum?: string
}>[]

function inventoryOf(
  balances: Readonly<Record<number, ReadonlyMap<string, bigint>>>,
  targets: Targets = [],
) {
  const chains = [originChain, destinationChain].map((id) => ({
    id,
    name: `chain-${id}`,
    displayName: `Chain ${id}`,
    factories: [],
  }))
  return createInventory({
    config: { chains, svmChains: [], assets, solver: { targets } } as never,
    market: {
      latest: (id: number) => {
        const chain = market.chains.get(id as never)
        const solverBalances = balances[id]
        return chain && solverBalances && { ...chain, solverBalances }
      },
      currencies: {
        known: (key: { chainId: number; address: string }) =>
          currencies.find((each) => each.chainId === key.chainId && each.address === key.address),
      },
    } as never,
  })
}

const [, usdc, , otherUsdc] = currencies as [
  never,
  (typeof currencies)[0],
  never,
  (typeof currencies)[0],
]
const targetsOf = (amount: string, minimum?: string): Targets =>
  [usdc, otherUsdc].map(({ chainId, address }) => ({
    chainId,
    currency: address,
    amount,
    ...(minimum !== undefined && { minimum }),
  }))

describe('the inventory', () => {
  it('has the holdings of each chain with targets, and what the gas money pays for', () => {
    const held = new Map([
      [nativeAddress as string, 10n ** 18n],
      [usdc.address as string, 999_000_000n],
    ])
    const { chains } = inventoryOf({ [originChain]: held }, targetsOf('2000.5', '1000'))
    const [first, second] = chains()
    expect(first).toMatchObject({ name: `chain-${originChain}`, gasBalance: 10n ** 18n })
    expect(first?.gasFills).toBeGreaterThan(0n)
    expect(first?.holdings).toMatchObject([
      { symbol: 'ETH', balance: 10n ** 18n, balanceUsd: 3_000_000_000n, isLow: false },
      {
        symbol: 'USDC',
        balance: 999_000_000n,
        balanceUsd: 999_000_000n,
        target: 2_000_500_000n,
        minimum: 1_000_000_000n,
        isLow: true,
      },
    ])
    // Without a market nothing is known, and nothing is low.
    expect(second).toMatchObject({ gasBalance: undefined, gasFills: undefined })
    expect(second?.holdings.map(({ balance, isLow }) => [balance, isLow])).toEqual([
      [undefined, false],
      [undefined, false],
    ])
  })

  it('takes a quarter of a target as its minimum, and drops digits that the currency lacks', () => {
    const { chains } = inventoryOf({ [originChain]: new Map() }, targetsOf('1.0000009'))
    const [, holding] = chains()[0]?.holdings ?? []
    expect(holding).toMatchObject({ target: 1_000_000n, minimum: 250_000n, balance: undefined })
  })

  it('advises to move what one chain has too much of, and says what that costs here', () => {
    const balances = {
      [originChain]: new Map([[usdc.address as string, 5_000_000_000n]]),
      [destinationChain]: new Map([[otherUsdc.address as string, 100_000_000n]]),
    }
    const { moves } = inventoryOf(balances, targetsOf('2000'))
    expect(moves()).toEqual([{ asset: 'USDC', from: usdc, to: otherUsdc, amount: 1_900_000_000n }])
    const [move] = moves()
    if (move === undefined) throw new Error('No move')
    const cost = crossingCost({ snapshot: () => market }, move)
    expect(cost.usd).toBe(1_900_000_000n)
    expect(cost.costUsd).toBeGreaterThan(0n)
    expect(cost.costUsd).toBeLessThan(10_000_000n)
    const stale = () => {
      throw new AppError('STALE_MARKET', 'Stale')
    }
    expect(crossingCost({ snapshot: stale }, move)).toEqual({ usd: undefined, costUsd: undefined })
    expect(inventoryOf(balances).moves()).toEqual([])
    expect(inventoryOf({ [originChain]: new Map() }, targetsOf('2000')).moves()).toEqual([])
  })
})
