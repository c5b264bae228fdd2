import type { Address } from '#src/units/address.ts'

type Hex = `0x${string}`

/** What user and solver agree on, as it is hashed: chains by name, addresses as 20 bytes. */
export type ProtocolOrder = Readonly<{
  version: 'v1'
  solverChainId: string
  solver: Address
  salt: bigint
  inputs: readonly OrderInput[]
  output: OrderOutput
  /** Paid out of the deposit to who built the frontend. */
  fees: readonly OrderFee[]
}>

export type OrderInput = Readonly<{
  payment: Readonly<{ chainId: string; currency: Address; amount: bigint; weight: bigint }>
  refunds: readonly Readonly<{
    chainId: string
    recipient: Address
    currency: Address
    minimumAmount: bigint
    /** Seconds since 1970. */
    deadline: number
    extraData: Hex
  }>[]
}>

export type OrderOutput = Readonly<{
  chainId: string
  payments: readonly Readonly<{
    recipient: Address
    currency: Address
    minimumAmount: bigint
    expectedAmount: bigint
  }>[]
  /** Seconds since 1970. */
  deadline: number
  /** `abi.encode` of a struct `{address to; bytes data; uint256 value}` each. */
  calls: readonly Hex[]
  extraData: Hex
}>

export type OrderFee = Readonly<{
  recipientChainId: string
  recipient: Address
  currencyChainId: string
  currency: Address
  amount: bigint
}>
