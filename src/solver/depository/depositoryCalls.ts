import type { Hex, TypedDataDefinition } from 'viem'
import type { ContractReader } from '#src/chains/rpc/chainClient.ts'
import type { Signer } from '#src/config/keys/signer.ts'
import type { Log } from '#src/config/log.ts'
import { type Address, evmAddress } from '#src/core/units/address.ts'
import {
  executePayout,
  type Payout,
  payoutTypedData,
  type RecordedDeposit,
} from '#src/protocol/calls/payout.ts'
import type { TransactionCall } from '#src/protocol/calls/transactionCall.ts'
import { depository as depositoryArtifact } from '#src/protocol/contracts/artifacts/depository.ts'
import type { ProtocolContracts } from '#src/protocol/contracts/protocolContracts.ts'
import { type Deposit, plainTransferOf, recordIdIn } from '#src/requests/state/deposit.ts'
import type { SolverChain } from '#src/solver/ports.ts'

export type SignPayout = (payout: Payout) => Promise<TransactionCall>

/** Signs payouts as the allocator of the depository. */
export const createSignPayout =
  (allocator: Signer, { chain, contracts: { depository } }: SolverChain): SignPayout =>
  async (payout) => {
    const data = payoutTypedData(payout, { chainId: chain.id, depository })
    // The compiler cannot match the types to the kind of payout.
    const signature = await allocator.signTypedData(data as TypedDataDefinition)
    return executePayout(depository, payout, signature)
  }

/** The contents of a deposit's record; undefined for a plain transfer, which has none. */
export function recordedDeposit(deposit: Deposit): RecordedDeposit | undefined {
  const { record, orderId, depositor, currency, amount } = deposit
  return (
    record && {
      orderId,
      depositor: evmAddress(depositor),
      currency: evmAddress(currency),
      amount,
      index: BigInt(record.index),
    }
  )
}

/** Reads from the depository whether it has paid out a deposit, to anybody, at the latest block or at `blockNumber`. */
export function createIsPaidOut(
  client: ContractReader,
  { depository: address }: ProtocolContracts,
): (deposit: Deposit, blockNumber?: bigint) => Promise<boolean> {
  const { abi } = depositoryArtifact
  const paysTransfer = (args: readonly [Hex, bigint], block: object): Promise<boolean> =>
    client.readContract({ address, abi, functionName: 'unrecordedPaid', args, ...block })
  const readRecord = (id: Hex, block: object): Promise<readonly [bigint, bigint]> =>
    client.readContract({ address, abi, functionName: 'records', args: [id], ...block })

  return async (deposit, blockNumber) => {
    const block = { ...(blockNumber !== undefined && { blockNumber }) }
    if (deposit.record === undefined) return paysTransfer(plainTransferOf(deposit), block)
    const [owed, exitTime] = await readRecord(recordIdIn(deposit), block)
    return exitTime !== 0n && owed < deposit.amount
  }
}

/** Reads the outflow limit of a currency, and the part of it that is available, at the latest block. */
export const createReadOutflow =
  (client: ContractReader, { depository: address }: ProtocolContracts) =>
  async (currency: Address): Promise<Readonly<{ limit: bigint; available: bigint }>> => {
    const call = { address, abi: depositoryArtifact.abi, args: [currency] } as const
    const [limit, available] = await Promise.all([
      client.readContract({ ...call, functionName: 'outflowLimit' }),
      client.readContract({ ...call, functionName: 'availableOutflow' }),
    ])
    return { limit, available }
  }

/** Whether `signer` is the depository's allocator. Checks again until it is: an operator may set it later. */
export function createAllocatorCheck(
  { client, log }: Readonly<{ client: ContractReader; log: Log }>,
  { chain, contracts: { depository } }: SolverChain,
  signer: Address,
): Readonly<{ check: () => Promise<boolean>; isAllocator: () => boolean | undefined }> {
  let known: boolean | undefined
  return {
    isAllocator: () => known,
    check: async () => {
      if (known === true) return true
      const { abi } = depositoryArtifact
      const call = { address: depository, abi, functionName: 'allocator' } as const
      const allocator = (await client.readContract(call)).toLowerCase()
      const found = allocator === signer
      if (!found && known === undefined)
        log.error(
          { chainId: chain.id, depository, allocator, signer },
          'The solver is not the depository’s allocator: it cannot refund or settle deposits',
        )
      known = found
      return found
    },
  }
}
