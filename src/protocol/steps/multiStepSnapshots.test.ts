import { expect, test } from 'vitest'
import type { Order } from '#src/core/pricing/order.ts'
import { priceMulti } from '#src/core/pricing/priceMulti.ts'
import { priceSwap } from '#src/core/pricing/priceSwap.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { toBps } from '#src/core/units/bps.ts'
import { toProtocol } from '#src/protocol/order/order.ts'
import { toOrderData } from '#src/protocol/order/protocolOrder.ts'
import type { StepContext } from '#src/protocol/step.ts'
import { contracts, solver } from '#test/support/arbitraries/executionArbitrary.ts'
import {
  account,
  currencyOf,
  destinationChain,
  market,
  originChain,
  thirdChain,
  wideMarket,
} from '#test/support/fixtures/markets.ts'
import { describeTransaction } from '#test/support/models/describeTransaction.ts'
import { contextOn, contractsOn } from '#test/support/orders/multiExecution.ts'
import { example } from '#test/support/orders/orders.ts'
import { orderIdByViem } from '#test/support/orders/orderTypes.ts'
import { buildMultiSteps } from './buildSteps.ts'

const [user, other, refundTo] = [account('1'), account('2'), account('3')]
const ether = 10n ** 18n

/** The deposit of a single-input order, with its context. */
function depositOf(changes: Partial<Order>, context: Partial<StepContext> = {}) {
  const slippageTolerance = toBps(50n)
  const order = { ...example(), slippageTolerance, forceSolverExecution: true, ...changes }
  const [funding] = priceSwap(order, market).pricedOrigins
  if (funding === undefined) throw new Error('No deposit')
  return { funding, context: contextOn(order.origin.chainId, context) }
}

test('the steps of three accounts: a native deposit, an allowance reset, a swap before the deposit', () => {
  const output = currencyOf(destinationChain, 'ETH')
  const long = currencyOf(destinationChain, 'LONG')
  const steps = buildMultiSteps(output, [
    depositOf({ origin: currencyOf(originChain, 'ETH'), amount: toAmount(ether) }),
    depositOf({ user: other }, { allowance: 7n, resetsAllowance: true }),
    depositOf({ origin: long, destination: output, amount: toAmount(1000n * ether), refundTo }),
  ])
  const lines = steps.flatMap(({ id, description, items }) =>
    items.flatMap(({ data, check }) => [
      `${id} by ${data.from.slice(0, 6)} on ${data.chainId}${check ? ', checked' : ''}: ${description}`,
      ...describeTransaction(data, contractsOn(data.chainId)),
    ]),
  )
  expect(lines).toMatchInlineSnapshot(`
    [
      "deposit by 0x1111 on 990001: Depositing funds to the relayer to execute the swap for ETH",
      "  0xdddddddddddddddddddddddddddddddddd990001 {value: 1000000000000000000} 0x49290c1c00000000000000000000000011111111111111111111111111111111111111110d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d",
      "approve by 0x2222 on 990001: Sign an approval for USDC",
      "  0xcccccccccccccccccccccccccccccccc3b023769 0x095ea7b3000000000000000000000000dddddddddddddddddddddddddddddddddd9900010000000000000000000000000000000000000000000000000000000000000000",
      "approve by 0x2222 on 990001: Sign an approval for USDC",
      "  0xcccccccccccccccccccccccccccccccc3b023769 0x095ea7b3000000000000000000000000dddddddddddddddddddddddddddddddddd9900010000000000000000000000000000000000000000000000000000000005f5e100",
      "deposit by 0x2222 on 990001: Depositing funds to the relayer to execute the swap for ETH",
      "  0xdddddddddddddddddddddddddddddddddd990001 0xe80179520000000000000000000000002222222222222222222222222222222222222222000000000000000000000000cccccccccccccccccccccccccccccccc3b0237690000000000000000000000000000000000000000000000000000000005f5e1000d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d",
      "approve by 0x1111 on 990002: Sign an approval for LONG",
      "  0xcccccccccccccccccccccccccccccccc3b023b54 0x095ea7b3000000000000000000000000ffffffffffffffffffffffffffffffffff99000200000000000000000000000000000000000000000000003635c9adc5dea00000",
      "deposit by 0x1111 on 990002, checked: Depositing funds to the relayer to execute the swap for ETH",
      "  0xffffffffffffffffffffffffffffffffff990002 {"tokens":["0xcccccccccccccccccccccccccccccccc3b023b54"],"amounts":["1000000000000000000000"],"refundto":"0x3333333333333333333333333333333333333333","nftrecipient":"0x3333333333333333333333333333333333333333","metadata":"0xa1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1"}",
      "    requireBefore ["1800604800"]",
      "    swap ["0xcccccccccccccccccccccccccccccccc3b023b54",[{"amountin":"1000000000000000000000","maxout":"0","hops":"0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa6cccccccccccccccccccccccccccccccc3b023b50000bb800"}]]",
      "    unwrap ["0xcccccccccccccccccccccccccccccccc3b023b50"]",
      "    depositNative ["0x1111111111111111111111111111111111111111","0x0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d","82663795876442226","115792089237316195423570985008687907853269984665640564039457584007913129639935"]",
      "    cleanupErc20s [["0xcccccccccccccccccccccccccccccccc3b023b54"],["0x3333333333333333333333333333333333333333"],["0"]]",
    ]
  `)
})

test('the order of two accounts on two chains', () => {
  const amount = toAmount(100_000_000n)
  const origins = [
    { user: other, refundTo, currency: currencyOf(thirdChain, 'USDC'), amount },
    { user, refundTo: user, currency: currencyOf(originChain, 'USDC'), amount },
  ]
  const destination = currencyOf(destinationChain, 'USDC')
  const order = { user, recipient: account('4'), origins, destination, originGasOverhead: 0n }
  const { orderId, order: agreed } = toProtocol(priceMulti({ ...order, txs: [] }, wideMarket), {
    salt: 7n,
    chainNames: new Map([
      [originChain, 'here'],
      [destinationChain, 'there'],
      [thirdChain, 'elsewhere'],
    ]),
    solver,
    destinationRouter: contracts.router,
    quotedAt: 1_800_000_000,
  })
  expect(orderId).toBe(orderIdByViem(agreed))
  expect(toOrderData(agreed)).toMatchInlineSnapshot(`
    {
      "fees": [],
      "inputs": [
        {
          "payment": {
            "amount": "100000000",
            "chainId": "here",
            "currency": "0xcccccccccccccccccccccccccccccccc3b023769",
            "weight": "1",
          },
          "refunds": [
            {
              "chainId": "here",
              "currency": "0xcccccccccccccccccccccccccccccccc3b023769",
              "deadline": 1800604800,
              "extraData": "0x",
              "minimumAmount": "0",
              "recipient": "0x1111111111111111111111111111111111111111",
            },
          ],
        },
        {
          "payment": {
            "amount": "100000000",
            "chainId": "elsewhere",
            "currency": "0xcccccccccccccccccccccccccccccccc3b023f39",
            "weight": "1",
          },
          "refunds": [
            {
              "chainId": "elsewhere",
              "currency": "0xcccccccccccccccccccccccccccccccc3b023f39",
              "deadline": 1800604800,
              "extraData": "0x",
              "minimumAmount": "0",
              "recipient": "0x3333333333333333333333333333333333333333",
            },
          ],
        },
      ],
      "output": {
        "calls": [],
        "chainId": "there",
        "deadline": 1800604800,
        "extraData": "0x000000000000000000000000eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee",
        "payments": [
          {
            "currency": "0xcccccccccccccccccccccccccccccccc3b023b51",
            "expectedAmount": "199152886",
            "minimumAmount": "198157122",
            "recipient": "0x4444444444444444444444444444444444444444",
          },
        ],
      },
      "salt": "0x0000000000000000000000000000000000000000000000000000000000000007",
      "solver": "0x5555555555555555555555555555555555555555",
      "solverChainId": "here",
      "version": "v1",
    }
  `)
})
