import { expect, it } from 'vitest'
import type { Config } from '#src/config/config.ts'
import { createPausable } from '#src/core/steps.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { toBps } from '#src/core/units/bps.ts'
import { toUsd } from '#src/core/units/usd.ts'
import { noHistory } from '#src/market/marketHistory.ts'
import { paymentIdsOf } from '#src/protocol/calls/depositAddress.ts'
import { initialState } from '#src/requests/state/requestState.ts'
import type { PricingQueue } from '#src/service/limits/pricingQueue.ts'
import {
  account,
  currencyOf,
  destinationChain,
  market,
  originChain,
} from '#test/support/fixtures/markets.ts'
import { quotedRequest } from '#test/support/fixtures/quotedRequest.ts'
import { createRequote } from './requote.ts'

const usdc = currencyOf(originChain, 'USDC')
const weth = currencyOf(destinationChain, 'WETH')
const known = new Map([usdc, weth].map((each) => [`${each.chainId}:${each.address}`, each]))

const contracts = {
  depository: account('1'),
  router: account('2'),
  approvalProxy: account('3'),
  depositAddressFactory: account('4'),
}

const atOnce: PricingQueue['runInBackground'] = async (_, price) => price()

function requoteWith(maxSwapImpact: bigint, history = noHistory, runInBackground = atOnce) {
  const chains = [originChain, destinationChain].map((id) => ({ id, contracts }))
  const config = {
    chains,
    maxSwapImpact: toBps(maxSwapImpact),
    solver: { address: account('5') },
    apiKeys: [
      { name: 'sponsor', sponsors: true },
      { name: 'other', sponsors: false },
    ],
  }
  const currencies = {
    known: ({ chainId, address }: { chainId: number; address: string }) =>
      known.get(`${chainId}:${address}`),
    list: () => [],
    ofChain: () => [],
  }
  return createRequote({
    market: { snapshot: () => market, ask: () => undefined, currencies },
    config: config as unknown as Config,
    history,
    pricing: { runInBackground },
  })
}

const quoted = quotedRequest(`0x${'77'.repeat(32)}`)
if (quoted.execution !== 'solver') throw new Error('Not for the solver')
const parent = {
  ...quoted,
  originCurrency: usdc.address,
  destinationCurrency: weth.address,
  depositAddress: account('6'),
  depositor: quoted.refundTo,
  open: { slippageTolerance: toBps(100n) },
  state: initialState(quoted),
  version: 1,
}

const at = 1_790_000_000_000
const payment = (amount: bigint) => ({ depositId: `${originChain}:0xab`, amount: toAmount(amount) })

it('quotes the amount that arrived, at the current price less the slippage of the address', async () => {
  const requote = requoteWith(1_000n)
  const [small, large] = await Promise.all(
    [500_000_000n, 2_000_000_000n].map((amount) => requote(parent, payment(amount), at)),
  )
  for (const [request, amount] of [
    [small, 500_000_000n],
    [large, 2_000_000_000n],
  ] as const) {
    expect(request).toMatchObject({
      ...paymentIdsOf(parent, `${originChain}:0xab`),
      execution: 'solver',
      parentId: parent.requestId,
      amountIn: amount,
      depositAddress: parent.depositAddress,
      refundTo: parent.refundTo,
      deadline: at / 1000 + 7 * 86_400,
      inputs: [{ depositAmount: amount, leastDeposit: amount }],
    })
    expect(request).not.toHaveProperty('open')
    const { amountOut = 0n, minimumAmountOut = 0n } = request ?? {}
    expect(minimumAmountOut).toBe((amountOut * 99n + 99n) / 100n)
  }
  expect(large?.amountOut).toBeGreaterThan(3n * (small?.amountOut ?? 0n))
})

it('a payment whose swap loses too much has no quote, unless the address was quoted so', async () => {
  const requote = requoteWith(1n)
  await expect(requote(parent, payment(500_000_000n), at)).rejects.toMatchObject({
    code: 'SWAP_IMPACT_TOO_HIGH',
  })
  const open = { ...parent.open, overridePriceImpact: true } as const
  const { amountOut } = await requote({ ...parent, open }, payment(500_000_000n), at)
  expect(amountOut).toBeGreaterThan(0n)
})

it('a payment that does not pay for its fill has no quote', async () => {
  await expect(requoteWith(1_000n)(parent, payment(1n), at)).rejects.toMatchObject({
    code: 'AMOUNT_TOO_LOW',
  })
})

it('takes the app fees of the address of each payment', async () => {
  const requote = requoteWith(1_000n)
  const appFees = [{ recipient: account('9'), fee: toBps(100n) }]
  const of = (amount: bigint) => requote({ ...parent, open: { appFees } }, payment(amount), at)
  for (const amount of [500_000_000n, 2_000_000_000n]) {
    const { amountOut, summary } = await of(amount)
    const { amountOut: withoutFees } = await requote(parent, payment(amount), at)
    expect(amountOut).toBeLessThan(withoutFees)
    expect(summary?.appFees).toMatchObject([{ recipient: account('9'), bps: 100n }])
    expect(summary?.appFees[0]?.amount).toBe(amount / 100n)
  }
})

it('a sponsor pays the fees of a payment while enough is left, and while its key sponsors', async () => {
  const requote = requoteWith(1_000n)
  const of = (sponsoredUsd: bigint, apiKey = 'sponsor') =>
    requote(
      { ...parent, apiKey, open: { ...parent.open, sponsoredUsd: toUsd(sponsoredUsd) } },
      payment(500_000_000n),
      at,
    )
  const { subsidizedUsd, amountOut } = await of(1_000_000_000n)
  const { amountOut: unsponsored } = await requote(parent, payment(500_000_000n), at)
  expect(subsidizedUsd).toBeGreaterThan(0n)
  expect(amountOut).toBeGreaterThan(unsponsored)
  expect((await of(subsidizedUsd)).subsidizedUsd).toBe(subsidizedUsd)
  for (const refused of [of(subsidizedUsd - 1n), of(1_000_000_000n, 'other'), of(0n)])
    expect(await refused).toMatchObject({ subsidizedUsd: 0n, amountOut: unsponsored })
})

it('prices in turns with the orders of clients: the same quote, however often it is paused', async () => {
  const past = market.chains.get(destinationChain)
  if (past === undefined) throw new Error('The fixture has no destination chain')
  const history = { before: () => Array.from({ length: 6 }, () => past) }
  const whole = await requoteWith(1_000n, history)(parent, payment(500_000_000n), at)
  let turns = 0
  const inTurns: PricingQueue['runInBackground'] = async (client, price) => {
    expect(client).toBe(parent.requestId)
    const pausable = createPausable(price, () => 0)
    for (;;) {
      turns += 1
      const outcome = pausable.run(0)
      if (outcome !== undefined) return outcome()
    }
  }
  const requote = requoteWith(1_000n, history, inTurns)
  expect(await requote(parent, payment(500_000_000n), at)).toEqual(whole)
  // At least one for each market.
  expect(turns).toBeGreaterThan(7)
})
