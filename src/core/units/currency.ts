import type { Account } from '#src/core/units/address.ts'
import { nativeAddress } from './address.ts'
import { type Amount, formatAmount } from './amount.ts'
import type { ChainId } from './chainId.ts'
import { svmNative } from './svm/pubkey.ts'

/** A native currency or an ERC-20 on one chain. */
export type Currency = Readonly<{
  chainId: ChainId
  /** The zero address, or 32 zero bytes in base58, for the chain's native currency. */
  address: Account
  symbol: string
  name: string
  /** 0 to 255. One whole unit is `10 ** decimals` raw units. */
  decimals: number
  metadata: Readonly<{
    /** Absent if no token list has one. */
    logoURI?: string
    /** Whether the currency is in a configured token list. */
    verified: boolean
    isNative: boolean
  }>
}>

export const isNative = (address: Account): boolean =>
  address === nativeAddress || address === svmNative

/** A key of maps and sets. */
export const currencyKey = ({
  chainId,
  address,
}: Readonly<{ chainId: ChainId; address: Account }>): string => `${chainId}:${address}`

/** Whether both are the same currency on the same chain. */
export const isSameCurrency = (one: Currency, other: Currency): boolean =>
  one.chainId === other.chainId && one.address === other.address

/** The largest amount of an order that works, in the currency of that amount. */
export type Limit = Readonly<{ amount: Amount; currency: Currency }>

/** A sentence for messages, after a space; empty without a limit. */
export const limitHint = (limit: Limit | undefined): string =>
  limit === undefined
    ? ''
    : ` The largest amount that works is about ${describeAmount(limit.amount, limit.currency)}.`

/** The largest amount that works, as data of an error. Amounts of some legs are not in the currency of the order. */
export const maxAmountData = (amount: bigint, { chainId, address }: Currency) => ({
  maxAmount: amount.toString(),
  maxAmountCurrency: { chainId, address },
})

/** The smallest amount that works, as data of an error. `leastAmount` is its former name, which clients read. */
export const minAmountData = (amount: bigint, { chainId, address }: Currency) => ({
  minAmount: amount.toString(),
  minAmountCurrency: { chainId, address },
  leastAmount: amount.toString(),
})

/** An amount for messages, such as `1.5 ETH`. */
export const describeAmount = (amount: bigint, { decimals, symbol }: Currency): string =>
  `${formatAmount(amount, decimals)} ${symbol}`
