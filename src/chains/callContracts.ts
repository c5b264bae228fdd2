import { BaseError, type Hash, type Hex, multicall3Abi, RpcRequestError } from 'viem'
import type { ChainClient } from './chainClient.ts'

export type ContractCall = Readonly<{ to: Hex; data: Hex }>

/** What nodes let one eth_call spend holds about so many reads. */
const callsPerRequest = 500

/**
 * Calls many contracts as they are at one block, named by its hash so that a reorg cannot mix two
 * states: an answer for each call in its place, undefined where it reverted. Calls that burn all the
 * gas are found by halving. Unlike viem's `multicall`, an RPC that fails is not taken for calls that revert.
 * @throws RpcUnavailableError, RpcRefusedError; viem's error when there is no Multicall3
 */
export async function callContracts(
  client: Pick<ChainClient, 'chain' | 'readContract'>,
  calls: readonly ContractCall[],
  blockHash: Hash,
): Promise<readonly (Hex | undefined)[]> {
  const chunks = Array.from({ length: Math.ceil(calls.length / callsPerRequest) }, (_, at) =>
    calls.slice(at * callsPerRequest, (at + 1) * callsPerRequest),
  )
  const answers = await Promise.all(chunks.map((chunk) => callChunk(client, chunk, blockHash)))
  return answers.flat()
}

async function callChunk(
  client: Pick<ChainClient, 'chain' | 'readContract'>,
  calls: readonly ContractCall[],
  blockHash: Hash,
): Promise<readonly (Hex | undefined)[]> {
  try {
    const answers = await client.readContract({
      address: client.chain.contracts.multicall3.address,
      abi: multicall3Abi,
      functionName: 'aggregate3',
      args: [calls.map(({ to, data }) => ({ target: to, allowFailure: true, callData: data }))],
      blockHash,
    })
    return calls.map((_, at) => {
      const answer = answers[at]
      return answer?.success === true ? answer.returnData : undefined
    })
  } catch (error) {
    if (!isOutcome(error)) throw error
    if (calls.length === 1) return [undefined]
    const half = Math.ceil(calls.length / 2)
    const halves = [calls.slice(0, half), calls.slice(half)]
    return (await Promise.all(halves.map((part) => callChunk(client, part, blockHash)))).flat()
  }
}

/** The node ran the call and it failed as a whole; anything else is not about the contracts called. */
const isOutcome = (error: unknown): boolean =>
  error instanceof BaseError && error.walk((each) => each instanceof RpcRequestError) !== null
