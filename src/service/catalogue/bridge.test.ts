import { describe, expect, it } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import type { Market } from '#src/core/pricing/market.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import { toUsd, type Usd } from '#src/core/units/usd.ts'
import { price } from '#src/service/quote/price.ts'
import {
  account,
  currencyOf,
  destinationChain,
  originChain,
  thirdChain,
  wideMarket,
} from '#test/support/fixtures/markets.ts'
import { client, createQuoteDeps, loaders } from '#test/support/fixtures/quoteDeps.ts'
import { contractsOn } from '#test/support/orders/multiExecution.ts'
import { type BridgeDeps, bridge } from './bridge.ts'

const user = account('7')
const ids = [originChain, destinationChain, thirdChain]

/** The answer for a bridge of the fixture's market, where the user holds `balance`. */
function ask(
  question: Readonly<{ currencyId?: string; user?: typeof user; to?: number }> = {},
  { balance = 0n, most = undefined as Usd | undefined, market = wideMarket, disabled = false } = {},
) {
  const { deps } = createQuoteDeps({ snapshot: () => market })
  const config = {
    svmChains: [],
    chains: ids.map((id) => ({ id, disabled, contracts: contractsOn(id), factories: [] })),
    assets: market.assets.map(({ currencies, ...asset }) => ({
      ...asset,
      currencies: [...currencies.values()],
    })),
    solver: { address: deps.solver, mostPayoutUsd: most },
  } as unknown as BridgeDeps['config']
  const { to = destinationChain, ...rest } = question
  const ofRequest = { ...loaders, balance: async () => toAmount(balance) }
  return bridge(
    {
      config,
      known: ({ chainId, address }) => deps.knownCurrency(chainId, address),
      snapshot: () => market,
      price: (request) => price(deps, request, ofRequest, client),
    },
    { originChainId: originChain, destinationChainId: toChainId(to), ...rest },
    ofRequest,
  )
}

const held = (symbol: 'ETH' | 'USDC', market: Market = wideMarket): bigint =>
  market.chains
    .get(destinationChain)
    ?.solverBalances.get(currencyOf(destinationChain, symbol).address) ?? 0n

describe('the terms of a bridge', () => {
  it('are those of the native asset by default, and need no user', async () => {
    const answer = await ask()
    expect(answer).toMatchObject({ isEnabled: true, user: undefined })
    expect(answer.solver.balance).toBe(held('ETH'))
    expect(answer.solver.capacityPerRequest).toBe(held('ETH'))
    expect(answer.fee).toBeGreaterThan(0n)
  })

  it('contain the largest amount that a user can receive, which a quote then pays', async () => {
    const balance = 10n ** 18n
    const { fee, user: holder } = await ask({ user }, { balance })
    const maxAmount = holder?.maxBridgeAmount ?? 0n
    expect(holder?.balance).toBe(balance)
    expect(fee).toBeGreaterThan(0n)
    // The difference is the fee and the gas of the deposit.
    expect(maxAmount).toBeLessThan(balance - (fee ?? 0n))
    expect(maxAmount).toBeGreaterThan((balance * 99n) / 100n)
  })

  it('are bounded by the balance and the payout limit of the solver, and by the balance of the user', async () => {
    const most = toUsd(90_000_000n)
    const { solver, user: rich } = await ask(
      { user, currencyId: 'usdc' },
      { balance: 10n ** 30n, most },
    )
    expect(solver).toMatchObject({ balance: held('USDC'), capacityPerRequest: 90_000_000n })
    expect(rich?.maxBridgeAmount).toBe(90_000_000n)
    const { user: poor } = await ask({ user }, { balance: 1n })
    expect(poor).toEqual({ balance: 1n, maxBridgeAmount: 0n })
  })

  it('have no fee while the solver holds nothing', async () => {
    const chain = wideMarket.chains.get(destinationChain)
    if (chain === undefined) throw new Error('The market has the chain')
    const chains = new Map(wideMarket.chains).set(destinationChain, {
      ...chain,
      solverBalances: new Map(),
    })
    const answer = await ask({ user }, { balance: 10n ** 18n, market: { ...wideMarket, chains } })
    expect(answer).toMatchObject({ fee: undefined, user: { maxBridgeAmount: 0n } })
    expect(answer.solver).toMatchObject({ balance: 0n, capacityPerRequest: 0n })
  })

  it('are refused for disabled chains, a single chain, and currencies that are no bridge asset', async () => {
    expect(await ask({}, { disabled: true })).toMatchObject({ isEnabled: false, fee: undefined })
    expect(await ask({ to: originChain })).toMatchObject({ isEnabled: false })
    await expect(ask({ currencyId: 'long' })).rejects.toMatchObject({
      code: 'UNSUPPORTED_CURRENCY',
    })
    const unknown = await ask({ to: 5 }).catch((error) => error)
    expect(unknown).toBeInstanceOf(AppError)
    expect(unknown).toMatchObject({
      code: 'UNSUPPORTED_CHAIN',
      data: { field: 'destinationChainId' },
    })
  })
})
