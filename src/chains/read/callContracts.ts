import {
  BaseError,
  type ContractFunctionReturnType,
  concatHex,
  type Hash,
  type Hex,
  multicall3Abi,
  numberToHex,
  RpcRequestError,
} from 'viem'
import { chunksOf } from '#src/chains/chunksOf.ts'
import type { ChainRpc } from '#src/chains/rpc/chainClient.ts'
import { checkAnswer } from '#src/chains/rpc/rpcAnswer.ts'
import { decodeAnswer, encodeCall } from './callData.ts'

export type ContractCall = Readonly<{ to: Hex; data: Hex }>

/** Code that replaces the code of addresses during the calls. */
type CodeOverrides = readonly Readonly<{ address: Hex; code: Hex }>[]

type Client = ChainRpc
type Answers = readonly (Hex | undefined)[]

/** About as many reads as fit into the gas limit that nodes set for one eth_call. */
const maxCallsPerRequest = 500

/**
 * Calls many contracts at one block. The block is given by its hash, so that a reorg cannot mix two states. Returns one
 * answer for each call, in order; undefined if the call reverted. A call that burns all gas does not fail the others.
 * In contrast to viem's `multicall`, a failure of the RPC throws and does not count as reverted calls.
 * @throws RpcUnavailableError; RpcRefusedError; Error on a chain without Multicall3
 */
export async function callContracts(
  client: Client,
  calls: readonly ContractCall[],
  blockHash: Hash,
  stateOverride: CodeOverrides = [],
): Promise<Answers> {
  const code = Object.fromEntries(stateOverride.map(({ address, code }) => [address, { code }]))
  const place: Place = stateOverride.length > 0 ? [{ blockHash }, code] : [{ blockHash }]
  const chunks = chunksOf(calls, maxCallsPerRequest)
  const answers = await Promise.all(chunks.map((chunk) => callChunk(client, chunk, place)))
  return answers.flat()
}

/** The block and the state overrides of calls: the last parameters of `eth_call`. */
type Place = readonly [
  block: Readonly<{ blockHash: Hash }>,
  code?: Readonly<Record<Hex, Readonly<{ code: Hex }>>>,
]

async function callChunk(
  client: Client,
  calls: readonly ContractCall[],
  place: Place,
): Promise<Answers> {
  const { answers, isStarved } = await aggregate(client, calls, place)
  const failed = calls.filter((_, at) => answers[at] === undefined)
  if (!isStarved || calls.length === 1 || failed.length === 0) return answers
  const half = Math.ceil(failed.length / 2)
  const isAll = failed.length === calls.length
  const parts = isAll ? [failed.slice(0, half), failed.slice(half)] : [failed]
  const again = await Promise.all(parts.map((part) => callChunk(client, part, place)))
  const rest = again.flat().values()
  return answers.map((answer) => answer ?? rest.next().value)
}

/**
 * The last call of each multicall, which detects starvation. It fails if less gas is left than any honest read needs: a
 * call before it burned the gas, and other calls may have failed for that reason alone. It calls the modexp precompile
 * with lengths that cost 196,000 gas (EIP-2565; more with EIP-7883). On a chain without this precompile starvation is
 * not detected.
 */
const canary = {
  target: numberToHex(5, { size: 20 }),
  allowFailure: true,
  callData: concatHex([
    ...[0, 32, 384].map((length) => numberToHex(length, { size: 32 })),
    `0x${'ff'.repeat(32)}`,
  ]),
}

const aggregate3 = { abi: multicall3Abi, functionName: 'aggregate3' } as const

async function aggregate(
  client: Client,
  calls: readonly ContractCall[],
  place: Place,
): Promise<Readonly<{ answers: Answers; isStarved: boolean }>> {
  try {
    const all = calls.map(({ to, data }) => ({ target: to, allowFailure: true, callData: data }))
    const to = client.chain.contracts.multicall3.address
    const data = encodeCall({ ...aggregate3, args: [[...all, canary]] })
    // Not by viem's action, which takes more CPU time than decoding the answer. Each block causes such a call.
    const answer = await client.ask(
      { method: 'eth_call', params: [{ to, data }, ...place] },
      (answered) => checkAnswer('eth_call', answered) as Hex,
    )
    if (answer === undefined || answer === '0x')
      throw new Error(`The multicall contract ${to} returned no data`)
    const results = decodeAnswer(aggregate3, answer) as ContractFunctionReturnType<
      typeof multicall3Abi,
      'view',
      'aggregate3'
    >
    const answers = calls.map((_, at) => {
      const result = results[at]
      return result?.success === true ? result.returnData : undefined
    })
    return { answers, isStarved: results[calls.length]?.success !== true }
  } catch (error) {
    if (!isCallError(error)) throw error
    return { answers: calls.map(() => undefined), isStarved: true }
  }
}

/** Whether the node executed the call and the call failed. Other errors do not concern the called contract. */
export const isCallError = (error: unknown): boolean =>
  error instanceof BaseError && error.walk((each) => each instanceof RpcRequestError) !== null
