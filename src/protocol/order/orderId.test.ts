import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toAddress } from '#src/core/units/address.ts'
import { pubkeyOf } from '#src/core/units/svm/pubkey.ts'
import { orderIdByViem } from '#test/support/orders/orderTypes.ts'
import { runs } from '#test/support/runs.ts'
import { orderIdOf } from './orderId.ts'
import { type ProtocolOrder, toOrderData } from './protocolOrder.ts'

const uint256 = fc.bigInt(0n, 2n ** 256n - 1n)
const uint32 = fc.integer({ min: 0, max: 2 ** 32 - 1 })
const bytes = fc
  .uint8Array({ maxLength: 300 })
  .map((value): `0x${string}` => `0x${Buffer.from(value).toString('hex')}`)
/** Few names, so that some repeat. Some have the form of bytes. */
const name = fc.constantFrom('base', 'ethereum', 'ünïcode ⛓', '', '0x', '0x1234')
const evmAddresses = fc
  .bigInt(0n, 3n)
  .map((at) => toAddress(`0x${(at ** 99n).toString(16).padStart(40, '0')}`))

/** Accounts of both virtual machines. Their bytes may start with zeros. */
const address = fc.oneof(
  evmAddresses,
  fc.constantFrom(0, 1, 255).map((at) => pubkeyOf(new Uint8Array(32).fill(at, 1))),
)

const protocolOrders: fc.Arbitrary<ProtocolOrder> = fc.record({
  version: fc.constant('v1'),
  solverChainId: name,
  solver: evmAddresses,
  salt: uint256,
  inputs: fc.array(
    fc.record({
      payment: fc.record({ chainId: name, currency: address, amount: uint256, weight: uint256 }),
      refunds: fc.array(
        fc.record({
          chainId: name,
          recipient: address,
          currency: address,
          minimumAmount: uint256,
          deadline: uint32,
          extraData: bytes,
        }),
        { maxLength: 3 },
      ),
    }),
    { maxLength: 3 },
  ),
  output: fc.record({
    chainId: name,
    payments: fc.array(
      fc.record({
        recipient: address,
        currency: address,
        minimumAmount: uint256,
        expectedAmount: uint256,
      }),
      { maxLength: 3 },
    ),
    deadline: uint32,
    calls: fc.array(bytes, { maxLength: 3 }),
    extraData: bytes,
  }),
  fees: fc.array(
    fc.record({
      recipientChainId: name,
      recipient: address,
      currencyChainId: name,
      currency: address,
      amount: uint256,
    }),
    { maxLength: 3 },
  ),
})

test('an order id equals viem’s EIP-712 hash', () => {
  fc.assert(
    fc.property(protocolOrders, (order) => {
      expect(orderIdOf(order)).toBe(orderIdByViem(order))
    }),
    { numRuns: runs(2_000, 500) },
  )
})

test('different orders have different ids', () => {
  fc.assert(
    fc.property(protocolOrders, protocolOrders, (one, other) => {
      const isSame = JSON.stringify(toOrderData(one)) === JSON.stringify(toOrderData(other))
      expect(orderIdOf(one) === orderIdOf(other)).toBe(isSame)
    }),
  )
})

/** The order of a quote in the reference service’s documentation. */
const published = (): ProtocolOrder => {
  const user = toAddress('0x03508bb71268bba25ecacc8f620e01866650532c')
  const baseUsdc = toAddress('0x833589fcd6edb6e08f4c7c32d4f71b54bda02913')
  const arbitrumUsdt = toAddress('0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9')
  const router = '0x000000000000000000000000b92fe925dc43a0ecde6c8b1a2709c170ec4fff4f'
  const deadline = 1_777_339_828
  const refund = { recipient: user, minimumAmount: 0n, deadline, extraData: router } as const
  return {
    version: 'v1',
    solverChainId: 'base',
    solver: toAddress('0xf70da97812cb96acdf810712aa562db8dfa3dbef'),
    salt: 0x9f2e8093d5e102dadc84fab08103cacd5ba84b3dbd45afd574ed86710bc9461en,
    inputs: [
      {
        payment: { chainId: 'base', currency: baseUsdc, amount: 100_000_000n, weight: 1n },
        refunds: [
          { ...refund, chainId: 'base', currency: baseUsdc },
          { ...refund, chainId: 'arbitrum', currency: arbitrumUsdt },
        ],
      },
    ],
    output: {
      chainId: 'arbitrum',
      payments: [
        {
          recipient: user,
          currency: arbitrumUsdt,
          minimumAmount: 98_000_000n,
          expectedAmount: 100_000_000n,
        },
      ],
      calls: [],
      deadline,
      extraData: router,
    },
    fees: [],
  }
}

test('a published order has its published id', () => {
  expect(orderIdOf(published())).toBe(
    '0x919a226d9a06bc91d18c5fed09c48e16d5ced5d642fa8804758db5fb9a923379',
  )
})

test('the JSON form of an order', () => {
  expect(toOrderData({ ...published(), salt: 5n })).toMatchInlineSnapshot(`
    {
      "fees": [],
      "inputs": [
        {
          "payment": {
            "amount": "100000000",
            "chainId": "base",
            "currency": "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
            "weight": "1",
          },
          "refunds": [
            {
              "chainId": "base",
              "currency": "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
              "deadline": 1777339828,
              "extraData": "0x000000000000000000000000b92fe925dc43a0ecde6c8b1a2709c170ec4fff4f",
              "minimumAmount": "0",
              "recipient": "0x03508bb71268bba25ecacc8f620e01866650532c",
            },
            {
              "chainId": "arbitrum",
              "currency": "0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9",
              "deadline": 1777339828,
              "extraData": "0x000000000000000000000000b92fe925dc43a0ecde6c8b1a2709c170ec4fff4f",
              "minimumAmount": "0",
              "recipient": "0x03508bb71268bba25ecacc8f620e01866650532c",
            },
          ],
        },
      ],
      "output": {
        "calls": [],
        "chainId": "arbitrum",
        "deadline": 1777339828,
        "extraData": "0x000000000000000000000000b92fe925dc43a0ecde6c8b1a2709c170ec4fff4f",
        "payments": [
          {
            "currency": "0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9",
            "expectedAmount": "100000000",
            "minimumAmount": "98000000",
            "recipient": "0x03508bb71268bba25ecacc8f620e01866650532c",
          },
        ],
      },
      "salt": "0x0000000000000000000000000000000000000000000000000000000000000005",
      "solver": "0xf70da97812cb96acdf810712aa562db8dfa3dbef",
      "solverChainId": "base",
      "version": "v1",
    }
  `)
})
