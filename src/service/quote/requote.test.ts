import { expect, it } from 'vitest'
import type { Config } from '#src/config/config.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { toBps } from '#src/core/units/bps.ts'
import { toUsd } from '#src/core/units/usd.ts'
import { noHistory } from '#src/market/marketHistory.ts'
import { paymentIdsOf } from '#src/protocol/calls/depositAddress.ts'
import { initialState } from '#src/requests/state/requestState.ts'
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

function requoteWith(maxSwapImpact: bigint) {
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
    history: noHistory,
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

it('quotes the amount that arrived, at the current price less the slippage of the address', () => {
  const requote = requoteWith(1_000n)
  const [small, large] = [500_000_000n, 2_000_000_000n].map((amount) =>
    requote(parent, payment(amount), at),
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

it('a payment whose swap loses too much has no quote, unless the address was quoted so', () => {
  const requote = requoteWith(1n)
  expect(() => requote(parent, payment(500_000_000n), at)).toThrow(
    expect.objectContaining({ code: 'SWAP_IMPACT_TOO_HIGH' }),
  )
  const open = { ...parent.open, overridePriceImpact: true } as const
  expect(requote({ ...parent, open }, payment(500_000_000n), at).amountOut).toBeGreaterThan(0n)
})

it('a payment that does not pay for its fill has no quote', () => {
  expect(() => requoteWith(1_000n)(parent, payment(1n), at)).toThrow(
    expect.objectContaining({ code: 'AMOUNT_TOO_LOW' }),
  )
})

it('takes the app fees of the address of each payment', () => {
  const requote = requoteWith(1_000n)
  const appFees = [{ recipient: account('9'), fee: toBps(100n) }]
  const of = (amount: bigint) => requote({ ...parent, open: { appFees } }, payment(amount), at)
  for (const amount of [500_000_000n, 2_000_000_000n]) {
    const { amountOut, summary } = of(amount)
    expect(amountOut).toBeLessThan(requote(parent, payment(amount), at).amountOut)
    expect(summary?.appFees).toMatchObject([{ recipient: account('9'), bps: 100n }])
    expect(summary?.appFees[0]?.amount).toBe(amount / 100n)
  }
})

it('a sponsor pays the fees of a payment while enough is left, and while its key sponsors', () => {
  const requote = requoteWith(1_000n)
  const of = (sponsoredUsd: bigint, apiKey = 'sponsor') =>
    requote(
      { ...parent, apiKey, open: { ...parent.open, sponsoredUsd: toUsd(sponsoredUsd) } },
      payment(500_000_000n),
      at,
    )
  const { subsidizedUsd, amountOut } = of(1_000_000_000n)
  const { amountOut: unsponsored } = requote(parent, payment(500_000_000n), at)
  expect(subsidizedUsd).toBeGreaterThan(0n)
  expect(amountOut).toBeGreaterThan(unsponsored)
  expect(of(subsidizedUsd).subsidizedUsd).toBe(subsidizedUsd)
  for (const refused of [of(subsidizedUsd - 1n), of(1_000_000_000n, 'other'), of(0n)])
    expect(refused).toMatchObject({ subsidizedUsd: 0n, amountOut: unsponsored })
})
