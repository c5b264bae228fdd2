import { hashStruct, parseAbi, parseEventLogs } from 'viem'
import { describe, expect, it } from 'vitest'
import { users } from '#src/devnet/accounts.ts'
import type { QuoteInput } from '#test/generated/graphql.ts'
import {
  bnb,
  ethereum,
  type Place,
  rollup,
  tradeTypes,
  units,
  useQuotes,
} from '#test/support/gateways/useQuotes.ts'
import { orderTypes } from '#test/support/orders/orderTypes.ts'
import { inTurns } from '#test/support/runs.ts'

const { wallet, balanceOf, symbolOf, routerBalances, quoteOf } = useQuotes()

const depositEvents = parseAbi([
  'event RelayNativeDeposit(address from, uint256 amount, bytes32 id)',
  'event RelayErc20Deposit(address from, address token, uint256 amount, bytes32 id)',
])

/** Fixes the bridged currency, because trades move the pools and another one could become better. */
const noOriginSwap = { disableOriginSwaps: true }

type Kind = readonly [
  title: string,
  from: Place,
  to: Place,
  input: string,
  output: string,
  Partial<QuoteInput>,
]

const kinds: readonly Kind[] = [
  [
    'native as it is',
    [ethereum, 'ETH'],
    [rollup, 'ETH'],
    units('1', 18),
    units('1', 18),
    noOriginSwap,
  ],
  [
    'native by plain payment',
    [ethereum, 'ETH'],
    [rollup, 'ETH'],
    units('1', 18),
    units('1', 18),
    { ...noOriginSwap, explicitDeposit: false },
  ],
  [
    'ERC-20 as it is',
    [ethereum, 'USDC'],
    [bnb, 'USDC'],
    units('100', 6),
    units('100', 6),
    noOriginSwap,
  ],
  [
    'ERC-20 by plain transfer',
    [bnb, 'USDC'],
    [rollup, 'USDC'],
    units('100', 6),
    units('100', 6),
    { ...noOriginSwap, useReceiver: false },
  ],
  ['an unwrap first', [ethereum, 'WETH'], [rollup, 'ETH'], units('1', 18), units('1', 18), {}],
  ['a swap first', [ethereum, 'ACORN'], [rollup, 'USDC'], units('4000', 18), units('900', 6), {}],
  ['swaps on both ends', [bnb, 'BIRCH'], [ethereum, 'GROVE'], units('50', 8), units('5', 24), {}],
  [
    'calls and app fees',
    [rollup, 'ETH'],
    [ethereum, 'ETH'],
    units('1', 18),
    units('1', 18),
    {
      appFees: [
        { recipient: users[2].address, fee: '25' },
        { recipient: users[3].address, fee: '10' },
      ],
      txs: [{ to: users[4].address, value: '1000', data: '0x' }],
    },
  ],
]

describe('a cross-chain quote of each kind', () => {
  it.each(inTurns(tradeTypes, kinds).map(([tradeType, kind]) => [tradeType, ...kind] as const))(
    '%s, %s: the depository receives the order’s amount with its order id',
    async (tradeType, _, from, to, input, output, change) => {
      const quote = await quoteOf(from, to, {
        ...change,
        tradeType,
        amount: tradeType === 'EXACT_INPUT' ? input : output,
      })
      const protocol = quote.protocol?.v2
      if (protocol == null) throw new Error('No order')
      expect(protocol.orderId).toBe(
        hashStruct({ types: orderTypes, primaryType: 'Order', data: protocol.orderData as never }),
      )
      const { depository, currency, amount } = protocol.paymentDetails
      const symbol = symbolOf(from[0], currency)
      const held = await balanceOf([from[0], symbol], depository)
      const receipts = await wallet().execute(quote.steps)
      expect(receipts.map(({ status }) => status)).not.toContain('reverted')
      expect((await balanceOf([from[0], symbol], depository)) - held).toBe(BigInt(amount))
      expect(await routerBalances(from[0])).toEqual([])
      const logs = receipts.flatMap((receipt) => receipt.logs)
      const deposits = parseEventLogs({ abi: depositEvents, logs })
      const isPlainTransfer = change.useReceiver === false
      expect(deposits.map(({ args }) => args)).toMatchObject(
        isPlainTransfer ? [] : [{ amount: BigInt(amount), id: protocol.orderId }],
      )
      const last = quote.steps.at(-1)?.items.at(-1)
      if (isPlainTransfer) expect(last?.data.data.endsWith(protocol.orderId.slice(2))).toBe(true)
      expect(last?.check).toEqual({
        endpoint: `/intents/status/v3?requestId=${quote.requestId}`,
        method: 'GET',
      })
    },
  )
})
