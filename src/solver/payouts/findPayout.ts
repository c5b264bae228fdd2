import { getAbiItem, type Hex } from 'viem'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { depository as depositoryArtifact } from '#src/contracts/artifacts/depository.ts'
import { AppError } from '#src/errors.ts'
import type { CallRequest } from '#src/execution/calls/callRequest.ts'
import type { ObservedTransaction } from '#src/requests/state/requestState.ts'
import { type Address, toAddress } from '#src/units/address.ts'

const event = getAbiItem({ abi: depositoryArtifact.abi, name: 'RelayCallExecuted' })

/** A call that the depository executed, with the `callRequestId` of its request. */
export type Payout = Readonly<{ id: Hex; call: CallRequest['calls'][number] }>

/** Blocks that are searched at once, unless nodes allow fewer. */
const maxBlocks = 1_000n

/**
 * The last transaction in an inclusive range of blocks in which the depository executed a matching payout; undefined
 * if no log shows one.
 * @throws RpcUnavailableError or RpcRefusedError when the nodes fail
 */
export async function findPayout(
  client: Pick<ChainClient, 'getLogs' | 'chain'>,
  depository: Address,
  { from, to }: Readonly<{ from: bigint; to: bigint }>,
  matches: (payout: Payout) => boolean,
): Promise<ObservedTransaction | undefined> {
  let last = to
  let span = maxBlocks
  while (last >= from) {
    const first = last - span + 1n > from ? last - span + 1n : from
    try {
      const range = { fromBlock: first, toBlock: last }
      const logs = await client.getLogs({ address: depository, event, strict: true, ...range })
      const found = logs.findLast(({ args: { id, call } }) =>
        matches({ id, call: { ...call, to: toAddress(call.to) } }),
      )
      if (found !== undefined) {
        const { transactionHash: hash, blockNumber: number, blockHash } = found
        return { chainId: client.chain.id, hash, block: { number, hash: blockHash } }
      }
      last = first - 1n
    } catch (error) {
      // Nodes limit the range, the number of logs or the time, each with its own message.
      if (!(error instanceof AppError) || span === 1n) throw error
      span /= 2n
    }
  }
  return undefined
}
