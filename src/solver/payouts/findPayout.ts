import { getAbiItem, type Hex } from 'viem'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { depository as depositoryArtifact } from '#src/contracts/artifacts/depository.ts'
import { AppError } from '#src/errors.ts'
import type { CallRequest } from '#src/execution/calls/callRequest.ts'
import type { TransactionSighting } from '#src/requests/state/requestState.ts'
import { type Address, toAddress } from '#src/units/address.ts'

const event = getAbiItem({ abi: depositoryArtifact.abi, name: 'RelayCallExecuted' })

/** A call that the depository has made, with the `callRequestId` of the request that it stood in. */
export type Payout = Readonly<{ id: Hex; call: CallRequest['calls'][number] }>

/** Blocks that are searched at once, unless nodes allow for fewer. */
const mostBlocks = 1_000n

/**
 * The last transaction in a range of blocks, both included, by which the depository has made such a payout;
 * undefined where no log tells of one.
 * @throws RpcUnavailableError or RpcRefusedError when the node fails.
 */
export async function findPayout(
  client: Pick<ChainClient, 'getLogs' | 'chain'>,
  depository: Address,
  { from, to }: Readonly<{ from: bigint; to: bigint }>,
  isIt: (payout: Payout) => boolean,
): Promise<TransactionSighting | undefined> {
  let last = to
  let span = mostBlocks
  while (last >= from) {
    const first = last - span + 1n > from ? last - span + 1n : from
    try {
      const range = { fromBlock: first, toBlock: last }
      const logs = await client.getLogs({ address: depository, event, strict: true, ...range })
      const found = logs.findLast(({ args: { id, call } }) =>
        isIt({ id, call: { ...call, to: toAddress(call.to) } }),
      )
      if (found !== undefined) {
        const { transactionHash: hash, blockNumber: number, blockHash } = found
        return { chainId: client.chain.id, hash, block: { number, hash: blockHash } }
      }
      last = first - 1n
    } catch (error) {
      // Nodes bound the range, the number of logs or the time, each in words of its own.
      if (!(error instanceof AppError) || span === 1n) throw error
      span /= 2n
    }
  }
  return undefined
}
