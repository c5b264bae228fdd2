import { expect, it } from 'vitest'
import type { ShownProgress, ShownQuote, ShownStatus } from './gatewayClient.ts'
import { progressLines, quotedLine } from './progressLines.ts'

const quote: ShownQuote = {
  requestId: '0x12',
  steps: [],
  details: {
    timeEstimate: 3,
    currencyIn: { amountFormatted: '1.0', currency: { symbol: 'ETH', decimals: 18 } },
    currencyOut: {
      amountFormatted: '2990.5',
      minimumAmount: 2_960_595_000n,
      currency: { symbol: 'USDC', decimals: 6 },
    },
  },
  fees: { relayer: { amountUsd: '1.0' } },
}

const at = (status: string, chainId: number, blockNumber: number | null): ShownProgress => ({
  status,
  transaction: {
    chainId,
    hash: '0xab',
    blockNumber,
    confirmations: blockNumber === null ? null : 2,
  },
})

const status: ShownStatus = {
  seq: 4,
  status: 'submitted',
  failReason: null,
  refundFailReason: null,
  steps: [
    { name: 'approve', items: [at('confirmed', 1, 7), at('confirmed', 1, 8)] },
    { name: 'deposit', items: [at('confirmed', 1, 9)] },
  ],
  fill: at('sent', 2, null),
  refund: null,
}

const shown = { quote, seconds: 3.14, chainNames: new Map([[1, 'one']]) }

it('shows the quote in whole units', () => {
  expect(quotedLine(quote, 12.3)).toBe(
    'Quoted in 12 ms: at least 2960.595 USDC, fees $1.0, about 3 s',
  )
})

it('shows each item of each step, the fill and the status', () => {
  expect(progressLines({ ...shown, status })).toMatchInlineSnapshot(`
    [
      "1.0 ETH → 2990.5 USDC   request 0x12",
      "  ● approve 1                    confirmed: 0xab on one in block 7, 2 deep",
      "  ● approve 2                    confirmed: 0xab on one in block 8, 2 deep",
      "  ● deposit                      confirmed: 0xab on one in block 9, 2 deep",
      "  ◔ fill by the solver           sent: 0xab on chain 2",
      "  submitted after 3.1 s",
    ]
  `)
})

it('shows the reason of a refund', () => {
  const refunded: ShownStatus = {
    ...status,
    status: 'refund',
    failReason: 'SLIPPAGE',
    steps: [],
    fill: { status: 'waiting', transaction: null },
    refund: at('confirmed', 1, 12),
  }
  expect(progressLines({ ...shown, status: refunded })).toMatchInlineSnapshot(`
    [
      "1.0 ETH → 2990.5 USDC   request 0x12",
      "  ● refund by the solver         confirmed: 0xab on one in block 12, 2 deep",
      "  refund (SLIPPAGE) after 3.1 s",
    ]
  `)
})
