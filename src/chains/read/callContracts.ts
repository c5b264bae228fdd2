import {
  BaseError,
  concatHex,
  type Hash,
  type Hex,
  multicall3Abi,
  numberToHex,
  RpcRequestError,
} from 'viem'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'

export type ContractCall = Readonly<{ to: Hex; data: Hex }>

type Client = Pick<ChainClient, 'chain' | 'readContract'>
type Answers = readonly (Hex | undefined)[]

/** What nodes let one eth_call spend holds about so many reads. */
const callsPerRequest = 500

/**
 * Calls many contracts as they are at one block, named by its hash so that a reorg cannot mix two
 * states: an answer for each call in its place, undefined where it reverted. One that burns all the
 * gas does not take the others with it. Unlike viem's `multicall`, an RPC that fails is not taken
 * for calls that revert.
 * @throws RpcUnavailableError, RpcRefusedError; viem's error when there is no Multicall3
 */
export async function callContracts(
  client: Client,
  calls: readonly ContractCall[],
  blockHash: Hash,
): Promise<Answers> {
  const chunks = Array.from({ length: Math.ceil(calls.length / callsPerRequest) }, (_, at) =>
    calls.slice(at * callsPerRequest, (at + 1) * callsPerRequest),
  )
  const answers = await Promise.all(chunks.map((chunk) => callChunk(client, chunk, blockHash)))
  return answers.flat()
}

async function callChunk(
  client: Client,
  calls: readonly ContractCall[],
  blockHash: Hash,
): Promise<Answers> {
  const { answers, isStarved } = await aggregate(client, calls, blockHash)
  const failed = calls.filter((_, at) => answers[at] === undefined)
  if (!isStarved || calls.length === 1 || failed.length === 0) return answers
  const half = Math.ceil(failed.length / 2)
  const isAll = failed.length === calls.length
  const parts = isAll ? [failed.slice(0, half), failed.slice(half)] : [failed]
  const again = await Promise.all(parts.map((part) => callChunk(client, part, blockHash)))
  const rest = again.flat().values()
  return answers.map((answer) => answer ?? rest.next().value)
}

/**
 * Fails when less gas is left than any honest read needs: then a call before it burned the gas, and
 * others may have failed only for that. It is the modexp precompile with lengths that cost 196,000
 * gas (EIP-2565; EIP-7883 makes it more); a chain without it knows no starvation.
 */
const canary = {
  target: numberToHex(5, { size: 20 }),
  allowFailure: true,
  callData: concatHex([
    ...[0, 32, 384].map((length) => numberToHex(length, { size: 32 })),
    `0x${'ff'.repeat(32)}`,
  ]),
}

async function aggregate(
  client: Client,
  calls: readonly ContractCall[],
  blockHash: Hash,
): Promise<Readonly<{ answers: Answers; isStarved: boolean }>> {
  try {
    const results = await client.readContract({
      address: client.chain.contracts.multicall3.address,
      abi: multicall3Abi,
      functionName: 'aggregate3',
      args: [
        [
          ...calls.map(({ to, data }) => ({ target: to, allowFailure: true, callData: data })),
          canary,
        ],
      ],
      blockHash,
    })
    const answers = calls.map((_, at) => {
      const result = results[at]
      return result?.success === true ? result.returnData : undefined
    })
    return { answers, isStarved: results[calls.length]?.success !== true }
  } catch (error) {
    if (!isOutcome(error)) throw error
    return { answers: calls.map(() => undefined), isStarved: true }
  }
}

/** The node ran the call and it failed as a whole; anything else is not about the contracts called. */
export const isOutcome = (error: unknown): boolean =>
  error instanceof BaseError && error.walk((each) => each instanceof RpcRequestError) !== null
