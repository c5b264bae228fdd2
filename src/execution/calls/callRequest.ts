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
  /** Whether the other payouts go through if this one fails. Its amount then stays in the depository. */
  allowFailure: boolean
}>

/** A list of calls of a depository, signed by its allocator. @source Depository.sol, CallRequest */
export type CallRequest = Readonly<{
  calls: readonly Readonly<{ to: Address; data: Hex; value: bigint; allowFailure: boolean }>[]
  /** The depository accepts each nonce once. */
  nonce: bigint
  /** Last block timestamp at which the request may run, in seconds since 1970. */
  expiration: bigint
}>

const transfer = prepareEncodeFunctionData({ abi: erc20Abi, functionName: 'transfer' })
const execute = prepareEncodeFunctionData({
  abi: depositoryArtifact.abi,
  functionName: 'execute',
})

/** One call for each payout, in the same order. */
export const createCallRequest = (
  payouts: readonly Payout[],
  terms: Pick<CallRequest, 'nonce' | 'expiration'>,
): CallRequest => ({ calls: payouts.map(payoutCall), ...terms })

function payoutCall({ currency, recipient, amount, allowFailure }: Payout) {
  if (isNative(currency)) return { to: recipient, data: '0x', value: amount, allowFailure } as const
  const data = encodeFunctionData({ ...transfer, args: [recipient, amount] })
  return { to: currency, data, value: 0n, allowFailure }
}

/** EIP-712 types. @source Depository.sol */
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

/** The EIP-712 typed data that the allocator signs for `request`. */
export const callRequestTypedData = (
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

/** The call that submits a signed request to the depository. Anyone may send it. */
export const executeCallRequest = (
  depository: Address,
  request: CallRequest,
  signature: Hex,
): TransactionCall => ({
  to: depository,
  data: encodeFunctionData({ ...execute, args: [request, signature] }),
  value: 0n,
})
