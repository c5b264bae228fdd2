import { type Address, nativeAddress } from './address.ts'
import type { ChainId } from './chainId.ts'

/** A native currency or an ERC-20 on one chain. */
export type Currency = Readonly<{
  chainId: ChainId
  /** The zero address for the chain's native currency. */
  address: Address
  symbol: string
  name: string
  /** 0 to 255: `10 ** decimals` smallest units are one whole unit. */
  decimals: number
  metadata: Readonly<{
    /** Absent where no token list names one. */
    logoURI?: string
    /** Whether a token list of this gateway vouches for it. */
    verified: boolean
    isNative: boolean
  }>
}>

export const isNative = (address: Address): boolean => address === nativeAddress

/** Whether both are the same currency on the same chain. */
export const isSameCurrency = (one: Currency, other: Currency): boolean =>
  one.chainId === other.chainId && one.address === other.address
