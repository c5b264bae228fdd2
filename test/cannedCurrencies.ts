import type { CurrencyAmount } from '#src/pricing/price.ts'
import { toAddress } from '#src/units/address.ts'
import { toAmount } from '#src/units/amount.ts'
import { toChainId } from '#src/units/chainId.ts'
import type { Currency } from '#src/units/currency.ts'
import { toUsd } from '#src/units/usd.ts'

export const address = (byte: string) => toAddress(`0x${byte.repeat(20)}`)

const currencyOn = (chainId: number, symbol: string, decimals: number, at: string): Currency => ({
  chainId: toChainId(chainId),
  address: address(at),
  symbol,
  name: `${symbol} of ${chainId}`,
  decimals,
  metadata: {
    logoURI: `https://example.org/${symbol}.svg`,
    verified: true,
    isNative: at === '00',
  },
})

export const ether = currencyOn(990001, 'ETH', 18, '00')
export const usdc = currencyOn(990001, 'USDC', 6, 'a1')
export const otherEther = currencyOn(990002, 'ETH', 18, '00')
export const otherUsdc = currencyOn(990002, 'USDC', 6, 'b1')

export const amountOf = (currency: Currency, amount: bigint, usd: bigint): CurrencyAmount => ({
  currency,
  amount: toAmount(amount),
  minimumAmount: toAmount(amount),
  usd: toUsd(usd),
})

export const blockOn = (chainId: number) => ({
  chainId: toChainId(chainId),
  number: 1234n,
  hash: `0x${'ab'.repeat(32)}` as const,
  timestamp: 1_700_000_000n,
})
