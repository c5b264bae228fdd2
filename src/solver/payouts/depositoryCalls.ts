import {
  decodeFunctionData,
  type Hex,
  hashStruct,
  keccak256,
  type LocalAccount,
  parseTransaction,
  stringToHex,
} from 'viem'
import { depository as depositoryArtifact } from '#src/contracts/artifacts/depository.ts'
import {
  type CallRequest,
  callRequestTypedData,
  createCallRequest,
  executeCallRequest,
  type Payout,
} from '#src/execution/calls/callRequest.ts'
import type { TransactionCall } from '#src/execution/calls/transactionCall.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { SolverChain, SolverDeps } from '#src/solver/solverDeps.ts'
import { type Address, toAddress } from '#src/units/address.ts'
import type { Amount } from '#src/units/amount.ts'

/** The depository accepts each nonce once, so that the same deposits are paid out at most once. */
export const nonceOf = (depositIds: readonly string[]): bigint =>
  BigInt(keccak256(stringToHex(depositIds.toSorted().join('\n'))))

/** Pays back a deposit, or part of it. */
export const refundPayout = (
  { currency }: Pick<Deposit, 'currency'>,
  recipient: Address,
  amount: Amount,
): Payout => ({ currency, recipient, amount, allowFailure: false })

type Terms = Readonly<{
  nonce: bigint
  /** Of the chain's newest block, in seconds since 1970. */
  timestamp: bigint
  /** How long anybody may execute it: longer than its transaction may wait, but limited. */
  validSeconds: bigint
}>

export type SignPayouts = (payouts: readonly Payout[], terms: Terms) => Promise<TransactionCall>

/** Signs for the depository as its allocator. */
export const createSignPayouts =
  (account: LocalAccount, { chain, contracts: { depository } }: SolverChain): SignPayouts =>
  async (payouts, { nonce, timestamp, validSeconds }) => {
    const expiration = timestamp + validSeconds
    const request: CallRequest = createCallRequest(payouts, { nonce, expiration })
    const data = callRequestTypedData(request, { chainId: chain.id, depository })
    return executeCallRequest(depository, request, await account.signTypedData(data))
  }

/** The signed call request of a transaction. Until it expires anybody may execute it. */
export function callRequestIn(raw: Hex): CallRequest {
  const { data = '0x' } = parseTransaction(raw)
  const { functionName, args } = decodeFunctionData({ abi: depositoryArtifact.abi, data })
  if (functionName !== 'execute')
    throw new Error('The transaction does not call execute of the depository')
  const [{ calls, ...terms }] = args
  return { ...terms, calls: calls.map((call) => ({ ...call, to: toAddress(call.to) })) }
}

/** The id of a call request in the depository's events. */
export function callRequestId(request: CallRequest, { chain, contracts }: SolverChain): Hex {
  const { depository } = contracts
  const { types, primaryType, message } = callRequestTypedData(request, {
    chainId: chain.id,
    depository,
  })
  return hashStruct({ types, primaryType, data: message })
}

/** Asks the depository whether it has paid out these deposits, now or at a block, whoever executed the payout. */
export const createIsPaidOut =
  (client: SolverDeps['client'], { depository }: SolverChain['contracts']) =>
  (depositIds: readonly string[], blockNumber?: bigint): Promise<boolean> =>
    client.readContract({
      address: depository,
      abi: depositoryArtifact.abi,
      functionName: 'nonceUsed',
      args: [nonceOf(depositIds)],
      ...(blockNumber !== undefined && { blockNumber }),
    })

/** Checks whether the account is the depository's allocator. Checks again until it is: an operator may set it later. */
export function createAllocatorCheck(
  { client, log }: Pick<SolverDeps, 'client' | 'log'>,
  { chain, contracts: { depository }, solver }: SolverChain,
): Readonly<{ check: () => Promise<boolean>; isAllocator: () => boolean | undefined }> {
  let known: boolean | undefined
  return {
    isAllocator: () => known,
    check: async () => {
      if (known === true) return true
      const { abi } = depositoryArtifact
      const call = { address: depository, abi, functionName: 'allocator' } as const
      const allocator = (await client.readContract(call)).toLowerCase()
      const found = allocator === solver
      if (!found && known === undefined)
        log.error(
          { chainId: chain.id, depository, allocator, solver },
          'The solver is not the depository’s allocator: it cannot refund or settle deposits',
        )
      known = found
      return found
    },
  }
}
