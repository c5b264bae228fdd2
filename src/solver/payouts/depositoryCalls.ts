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

/** The depository takes each nonce once: what is named so is paid out once, whatever is sent. */
export const nonceOf = (depositIds: readonly string[]): bigint =>
  BigInt(keccak256(stringToHex(depositIds.toSorted().join('\n'))))

/** What pays a deposit back, or a part of it. */
export const refundPayout = (
  { currency }: Pick<Deposit, 'currency'>,
  recipient: Address,
  amount: Amount,
): Payout => ({ currency, recipient, amount, allowFailure: false })

type Terms = Readonly<{
  nonce: bigint
  /** Seconds since 1970, of the chain's newest block. */
  timestamp: bigint
  /** How long anybody may bring it: longer than its transaction waits, and not for ever. */
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

/** What a signed transaction brings to the depository. Until it expires anybody may bring it. */
export function callRequestIn(raw: Hex): CallRequest {
  const { data = '0x' } = parseTransaction(raw)
  const { functionName, args } = decodeFunctionData({ abi: depositoryArtifact.abi, data })
  if (functionName !== 'execute') throw new Error('It brings nothing to the depository')
  const [{ calls, ...terms }] = args
  return { ...terms, calls: calls.map((call) => ({ ...call, to: toAddress(call.to) })) }
}

/** By which the depository's events name a request. */
export function callRequestId(request: CallRequest, { chain, contracts }: SolverChain): Hex {
  const { depository } = contracts
  const { types, primaryType, message } = callRequestTypedData(request, {
    chainId: chain.id,
    depository,
  })
  return hashStruct({ types, primaryType, data: message })
}

/** Asks the depository whether it has paid out what is named so, whoever brought it: by now, or by a block. */
export const createPaidOut =
  (client: SolverDeps['client'], { depository }: SolverChain['contracts']) =>
  (depositIds: readonly string[], blockNumber?: bigint): Promise<boolean> =>
    client.readContract({
      address: depository,
      abi: depositoryArtifact.abi,
      functionName: 'nonceUsed',
      args: [nonceOf(depositIds)],
      ...(blockNumber !== undefined && { blockNumber }),
    })

/** Asks until the answer is yes, then remembers: an operator may name the account later. */
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
          'The solver is not the depository’s allocator: refunds and settlements are held back',
        )
      known = found
      return found
    },
  }
}
