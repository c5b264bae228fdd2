import { getAbiItem, type Hex, toEventSelector } from 'viem'
import { findLastLog } from '#src/chains/read/findLastLog.ts'
import type { HistoryReader } from '#src/chains/rpc/chainClient.ts'
import type { Address } from '#src/core/units/address.ts'
import { depository as depositoryArtifact } from '#src/protocol/contracts/artifacts/depository.ts'
import { type Deposit, plainTransferOf, recordIdIn } from '#src/requests/state/deposit.ts'
import type { ObservedTransaction } from '#src/requests/state/requestState.ts'

const { abi } = depositoryArtifact
const events = (
  ['DepositRefunded', 'DepositExited', 'DepositSettled', 'UnrecordedPaid'] as const
).map((name) => getAbiItem({ abi, name }))
const [refunded, exited, settled, unrecorded] = events.map((event) => toEventSelector(event))

/**
 * The last transaction in an inclusive range of blocks that paid out a deposit, back to its depositor or otherwise;
 * undefined if no log shows one.
 * @throws RpcUnavailableError or RpcRefusedError when the nodes fail
 */
export async function findPayout(
  client: HistoryReader,
  depository: Address,
  deposit: Pick<Deposit, 'depositId' | 'txHash' | 'record'>,
  { from, to }: Readonly<{ from: bigint; to: bigint }>,
): Promise<ObservedTransaction | undefined> {
  const isPayout = payoutFilter(deposit)
  const found = await findLastLog(
    (blocks) => client.getLogs({ address: depository, events, ...blocks }),
    ({ topics }) => isPayout(topics),
    { from, to },
  )
  if (found === undefined) return undefined
  const { transactionHash: hash, blockNumber: number, blockHash } = found
  return { chainId: client.chain.id, hash, block: { number, hash: blockHash } }
}

/** Returns a filter for the topics of the event that paid out the deposit. */
function payoutFilter(
  deposit: Pick<Deposit, 'depositId' | 'txHash' | 'record'>,
): (topics: readonly Hex[]) => boolean {
  if (deposit.record === undefined) {
    const [txHash, logIndex] = plainTransferOf(deposit)
    return ([event, hash, index]) =>
      event === unrecorded && hash === txHash && BigInt(index ?? -1) === logIndex
  }
  const id = recordIdIn(deposit)
  return ([event, depositId]) =>
    (event === refunded || event === exited || event === settled) && depositId === id
}
