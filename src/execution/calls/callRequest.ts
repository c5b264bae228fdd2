import { encodeFunctionData, erc20Abi, type Hex, prepareEncodeFunctionData } from 'viem'
import { depository as depositoryArtifact } from '#src/contracts/artifacts/depository.ts'
import type { Address } from '#src/units/address.ts'
import type { ChainId } from '#src/units/chainId.ts'
import { isNative } from '#src/units/currency.ts'
import type { TransactionCall } from './transactionCall.ts'

/** A payment out of a depository. */
export type Payout = Readonly<{
  currency: Address
  recipient: Address
  amount: bigint
  /** Whether the others are paid all the same where this one fails: its share then stays. */
  allowFailure: boolean
}>

/** What the allocator of a depository signs. */
export type CallRequest = Readonly<{
  calls: readonly Readonly<{ to: Address; data: Hex; value: bigint; allowFailure: boolean }>[]
  /** Each one serves once. */
  nonce: bigint
  /** Seconds since 1970: the last time at which the request may run. */
  expiration: bigint
}>

const transfer = prepareEncodeFunctionData({ abi: erc20Abi, functionName: 'transfer' })
const execute = prepareEncodeFunctionData({
  abi: depositoryArtifact.abi,
  functionName: 'execute',
})

/** In the order of `payouts`. */
export const callRequestOf = (
  payouts: readonly Payout[],
  terms: Pick<CallRequest, 'nonce' | 'expiration'>,
): CallRequest => ({ calls: payouts.map(payoutCall), ...terms })

function payoutCall({ currency, recipient, amount, allowFailure }: Payout) {
  if (isNative(currency)) return { to: recipient, data: '0x', value: amount, allowFailure } as const
  const data = encodeFunctionData({ ...transfer, args: [recipient, amount] })
  return { to: currency, data, value: 0n, allowFailure }
}

/** @source Depository.sol: the EIP-712 types that it hashes. */
const types = {
  CallRequest: [
    { name: 'calls', type: 'Call[]' },
    { name: 'nonce', type: 'uint256' },
    { name: 'expiration', type: 'uint256' },
  ],
  Call: [
    { name: 'to', type: 'address' },
    { name: 'data', type: 'bytes' },
    { name: 'value', type: 'uint256' },
    { name: 'allowFailure', type: 'bool' },
  ],
} as const

/** What the allocator's wallet signs for `request`. */
export const callRequestData = (
  request: CallRequest,
  { chainId, depository }: Readonly<{ chainId: ChainId; depository: Address }>,
) =>
  ({
    domain: {
      name: 'RelayDepository',
      version: '1',
      chainId,
      verifyingContract: depository,
    },
    types,
    primaryType: 'CallRequest',
    message: request,
  }) as const

/** Brings a signed request to the depository. */
export const executeCall = (
  depository: Address,
  request: CallRequest,
  signature: Hex,
): TransactionCall => ({
  to: depository,
  data: encodeFunctionData({ ...execute, args: [request, signature] }),
  value: 0n,
})
