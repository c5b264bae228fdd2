import { describe, expect, test } from 'vitest'
import type { Order } from '#src/core/pricing/order.ts'
import { priceSwap } from '#src/core/pricing/priceSwap.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { toBps } from '#src/core/units/bps.ts'
import { toUsd } from '#src/core/units/usd.ts'
import type { Step } from '#src/protocol/step.ts'
import {
  callee,
  contracts,
  feeRecipients,
  solver,
} from '#test/support/arbitraries/executionArbitrary.ts'
import {
  account,
  currencyOf,
  destinationChain,
  market,
  originChain,
} from '#test/support/fixtures/markets.ts'
import { describeTransaction } from '#test/support/models/describeTransaction.ts'
import { example } from '#test/support/orders/orders.ts'
import { buildSteps } from './buildSteps.ts'

const here = (symbol: Parameters<typeof currencyOf>[1]) => currencyOf(originChain, symbol)
const there = (symbol: Parameters<typeof currencyOf>[1]) => currencyOf(destinationChain, symbol)

const ether = 10n ** 18n

function stepsOf(changes: Partial<Order>): readonly Step[] {
  const priced = priceSwap({ ...example(), slippageTolerance: toBps(50n), ...changes }, market)
  return buildSteps(priced, {
    requestId: `0x${'a1'.repeat(32)}`,
    orderId: priced.execution === 'solver' ? `0x${'0d'.repeat(32)}` : undefined,
    contracts,
    wrappedNative: here('WETH').address,
    deadline: 1_800_604_800,
    unrecordedLimitUsd: toUsd(1_000_000_000n),
    gas: { baseFeePerGas: 8_000_000_000n, priorityFeePerGas: 100_000_000n },
    solver,
    allowance: 0n,
    resetsAllowance: false,
  })
}

/** One line per call of an order's steps. Router transactions are shown by their calls. */
const stepLines = (changes: Partial<Order>): readonly string[] =>
  stepsOf(changes).flatMap(({ id, description, items }) => [
    `${id}: ${description}`,
    ...items.flatMap(({ data }) => describeTransaction(data, contracts)),
  ])

describe('steps', () => {
  test('a bridge of a native currency', () => {
    expect(
      stepsOf({ origin: here('ETH'), destination: there('ETH'), amount: toAmount(ether) }),
    ).toMatchInlineSnapshot(`
      [
        {
          "action": "Confirm transaction in your wallet",
          "depositAddress": "",
          "description": "Depositing funds to the relayer to execute the swap for ETH",
          "id": "deposit",
          "items": [
            {
              "check": {
                "endpoint": "/intents/status/v3?requestId=0xa1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1",
                "method": "GET",
              },
              "data": {
                "chainId": 990001,
                "data": "0x49290c1c00000000000000000000000011111111111111111111111111111111111111110d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d",
                "from": "0x1111111111111111111111111111111111111111",
                "isFirst": true,
                "maxFeePerGas": 16100000000n,
                "maxPriorityFeePerGas": 100000000n,
                "to": "0xdddddddddddddddddddddddddddddddddddddddd",
                "value": 1000000000000000000n,
              },
              "status": "incomplete",
            },
          ],
          "kind": "transaction",
          "requestId": "0xa1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1",
        },
      ]
    `)
  })

  test('a bridge of an ERC-20', () => {
    expect(stepsOf({})).toMatchInlineSnapshot(`
      [
        {
          "action": "Confirm transaction in your wallet",
          "description": "Sign an approval for USDC",
          "id": "approve",
          "items": [
            {
              "data": {
                "chainId": 990001,
                "data": "0x095ea7b3000000000000000000000000dddddddddddddddddddddddddddddddddddddddd0000000000000000000000000000000000000000000000000000000005f5e100",
                "from": "0x1111111111111111111111111111111111111111",
                "isFirst": true,
                "maxFeePerGas": 16100000000n,
                "maxPriorityFeePerGas": 100000000n,
                "to": "0xcccccccccccccccccccccccccccccccc3b023769",
                "value": 0n,
              },
              "status": "incomplete",
            },
          ],
          "kind": "transaction",
          "requestId": "0xa1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1",
        },
        {
          "action": "Confirm transaction in your wallet",
          "depositAddress": "",
          "description": "Depositing funds to the relayer to execute the swap for USDC",
          "id": "deposit",
          "items": [
            {
              "check": {
                "endpoint": "/intents/status/v3?requestId=0xa1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1",
                "method": "GET",
              },
              "data": {
                "chainId": 990001,
                "data": "0xe80179520000000000000000000000001111111111111111111111111111111111111111000000000000000000000000cccccccccccccccccccccccccccccccc3b0237690000000000000000000000000000000000000000000000000000000005f5e1000d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d",
                "from": "0x1111111111111111111111111111111111111111",
                "isFirst": false,
                "maxFeePerGas": 16100000000n,
                "maxPriorityFeePerGas": 100000000n,
                "to": "0xdddddddddddddddddddddddddddddddddddddddd",
                "value": 0n,
              },
              "status": "incomplete",
            },
          ],
          "kind": "transaction",
          "requestId": "0xa1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1",
        },
      ]
    `)
  })

  test('deposits by plain transfer', () => {
    const explicitDeposit = false
    const native = { explicitDeposit, origin: here('ETH'), destination: there('ETH') }
    expect(
      [{ explicitDeposit }, { ...native, amount: toAmount(ether) }].flatMap(stepLines),
    ).toMatchInlineSnapshot(`
      [
        "deposit: Depositing funds to the relayer to execute the swap for USDC. This is a plain transfer: the depository keeps no record of it, so you cannot take it back yourself if it is neither filled nor refunded. If it is worth more than $1000, it is refunded",
        "  0xcccccccccccccccccccccccccccccccc3b023769 0xa9059cbb000000000000000000000000dddddddddddddddddddddddddddddddddddddddd0000000000000000000000000000000000000000000000000000000005f5e1000d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d",
        "deposit: Depositing funds to the relayer to execute the swap for ETH",
        "  0xdddddddddddddddddddddddddddddddddddddddd {value: 1000000000000000000} 0x0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d",
      ]
    `)
  })

  test('a deposit after a swap', () => {
    expect(
      stepLines({
        origin: here('LONG'),
        destination: there('USDT'),
        amount: toAmount(1000n * ether),
      }),
    ).toMatchInlineSnapshot(`
      [
        "approve: Sign an approval for LONG",
        "  0xcccccccccccccccccccccccccccccccc3b02376c 0x095ea7b3000000000000000000000000ffffffffffffffffffffffffffffffffffffffff00000000000000000000000000000000000000000000003635c9adc5dea00000",
        "deposit: Depositing funds to the relayer to execute the swap for USDT",
        "  0xffffffffffffffffffffffffffffffffffffffff {"tokens":["0xcccccccccccccccccccccccccccccccc3b02376c"],"amounts":["1000000000000000000000"],"refundto":"0x1111111111111111111111111111111111111111","nftrecipient":"0x1111111111111111111111111111111111111111","metadata":"0xa1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1"}",
        "    requireBefore ["1800604800"]",
        "    swap ["0xcccccccccccccccccccccccccccccccc3b02376c",[{"amountin":"1000000000000000000000","maxout":"0","hops":"0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa6cccccccccccccccccccccccccccccccc3b023768000bb800"}]]",
        "    unwrap ["0xcccccccccccccccccccccccccccccccc3b023768"]",
        "    depositNative ["0x1111111111111111111111111111111111111111","0x0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d","82663795876442226","115792089237316195423570985008687907853269984665640564039457584007913129639935"]",
        "    cleanupErc20s [["0xcccccccccccccccccccccccccccccccc3b02376c"],["0x1111111111111111111111111111111111111111"],["0"]]",
      ]
    `)
  })

  test('a swap on one chain, with app fees', () => {
    const appFees = feeRecipients.map((recipient, at) => ({
      recipient,
      fee: toBps(BigInt(at) * 10n),
    }))
    expect(
      stepLines({ appFees, destination: here('ETH'), amount: toAmount(10n ** 9n) }),
    ).toMatchInlineSnapshot(`
      [
        "approve: Sign an approval for USDC",
        "  0xcccccccccccccccccccccccccccccccc3b023769 0x095ea7b3000000000000000000000000ffffffffffffffffffffffffffffffffffffffff000000000000000000000000000000000000000000000000000000003b9aca00",
        "swap: Swapping USDC for ETH",
        "  0xffffffffffffffffffffffffffffffffffffffff {"tokens":["0xcccccccccccccccccccccccccccccccc3b023769"],"amounts":["1000000000"],"refundto":"0x1111111111111111111111111111111111111111","nftrecipient":"0x1111111111111111111111111111111111111111","metadata":"0xa1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1"}",
        "    requireBefore ["1800604800"]",
        "    cleanupErc20s [["0xcccccccccccccccccccccccccccccccc3b023769","0xcccccccccccccccccccccccccccccccc3b023769"],["0x8888888888888888888888888888888888888888","0x9999999999999999999999999999999999999999"],["1000000","2000000"]]",
        "    swap ["0xcccccccccccccccccccccccccccccccc3b023769",[{"amountin":"997000000","maxout":"0","hops":"0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa1cccccccccccccccccccccccccccccccc3b0237680001f401"}]]",
        "    unwrap ["0xcccccccccccccccccccccccccccccccc3b023768"]",
        "    cleanupErc20s [["0xcccccccccccccccccccccccccccccccc3b023769"],["0x1111111111111111111111111111111111111111"],["0"]]",
        "    pay ["0x0000000000000000000000000000000000000000","0x1111111111111111111111111111111111111111","330522401556863370"]",
      ]
    `)
  })

  test('an exact-output swap of a native currency, with destination calls', () => {
    const txs = [{ to: callee, value: toAmount(0n), data: '0x12345678' }] as const
    const exact = { tradeType: 'EXACT_OUTPUT', amount: toAmount(10n ** 9n) } as const
    expect(
      stepLines({ ...exact, txs, origin: here('ETH'), destination: here('USDT') }),
    ).toMatchInlineSnapshot(`
      [
        "swap: Swapping ETH for USDT",
        "  0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee {value: 333699809837434620} {"tokens":[],"amounts":[],"refundto":"0x1111111111111111111111111111111111111111","nftrecipient":"0x1111111111111111111111111111111111111111","metadata":"0xa1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1"}",
        "    requireBefore ["1800604800"]",
        "    wrap ["0xcccccccccccccccccccccccccccccccc3b023768","333699809837434620"]",
        "    swap ["0xcccccccccccccccccccccccccccccccc3b023768",[{"amountin":"333699809837434620","maxout":"1000000000","hops":"0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa1cccccccccccccccccccccccccccccccc3b0237690001f403aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa3cccccccccccccccccccccccccccccccc3b02376a0001f403"}]]",
        "    cleanupErc20s [["0xcccccccccccccccccccccccccccccccc3b023768","0xcccccccccccccccccccccccccccccccc3b023769"],["0x1111111111111111111111111111111111111111","0x1111111111111111111111111111111111111111"],["0","0"]]",
        "    execute ["0xa1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1",[{"target":"0x6666666666666666666666666666666666666666","allowfailure":false,"value":"0","calldata":"0x12345678"}],"0xcccccccccccccccccccccccccccccccc3b02376a","1000000000",["0xcccccccccccccccccccccccccccccccc3b02376a","0xcccccccccccccccccccccccccccccccc3b023768"],"0x1111111111111111111111111111111111111111"]",
      ]
    `)
  })

  test('wrapping and unwrapping', () => {
    const wrap = { origin: here('ETH'), destination: here('WETH'), amount: toAmount(ether) }
    const unwrap = { origin: here('WETH'), destination: here('ETH'), amount: toAmount(ether) }
    expect([wrap, unwrap].flatMap(stepLines)).toMatchInlineSnapshot(`
      [
        "swap: Swapping ETH for WETH",
        "  0xcccccccccccccccccccccccccccccccc3b023768 {value: 1000000000000000000} 0xd0e30db0a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1",
        "swap: Swapping WETH for ETH",
        "  0xcccccccccccccccccccccccccccccccc3b023768 0x2e1a7d4d0000000000000000000000000000000000000000000000000de0b6b3a7640000a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1",
      ]
    `)
  })

  test('wrapping for someone else, with app fees', () => {
    const recipient = account('2')
    const appFees = [{ recipient: feeRecipients[0], fee: toBps(10n) }]
    const wrap = { origin: here('ETH'), destination: here('WETH'), amount: toAmount(ether) }
    expect(stepLines({ ...wrap, recipient, appFees })).toMatchInlineSnapshot(`
      [
        "swap: Swapping ETH for WETH",
        "  0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee {value: 1000000000000000000} {"tokens":[],"amounts":[],"refundto":"0x1111111111111111111111111111111111111111","nftrecipient":"0x2222222222222222222222222222222222222222","metadata":"0xa1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1"}",
        "    requireBefore ["1800604800"]",
        "    cleanupNative ["1000000000000000","0x7777777777777777777777777777777777777777"]",
        "    wrap ["0xcccccccccccccccccccccccccccccccc3b023768","999000000000000000"]",
        "    pay ["0xcccccccccccccccccccccccccccccccc3b023768","0x2222222222222222222222222222222222222222","994005000000000000"]",
      ]
    `)
  })

  test('transfers to someone else', () => {
    const recipient = account('2')
    const erc20 = { recipient, destination: here('USDC') }
    const native = { recipient, origin: here('ETH'), destination: here('ETH') }
    expect([erc20, native].flatMap(stepLines)).toMatchInlineSnapshot(`
      [
        "send: Send funds to the recipient",
        "  0xcccccccccccccccccccccccccccccccc3b023769 0xa9059cbb00000000000000000000000022222222222222222222222222222222222222220000000000000000000000000000000000000000000000000000000005f5e100a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1",
        "send: Send funds to the recipient",
        "  0x2222222222222222222222222222222222222222 {value: 100000000} 0x",
      ]
    `)
  })
})
