import {
  BaseError,
  type ContractFunctionParameters,
  decodeFunctionResult,
  encodeFunctionData,
  type Hash,
  type Hex,
  type MulticallContracts,
  type MulticallReturnType,
  multicall3Abi,
  type Narrow,
  RpcRequestError,
} from 'viem'
import type { ChainClient } from './chainClient.ts'

/** What nodes let one eth_call spend holds about so many reads. */
const callsPerRequest = 500

/**
 * Reads many contracts as they are at one block, named by its hash so that a reorg cannot mix two
 * states. A call that reverts, or whose answer does not decode, is a `failure` of that call only;
 * one that burns all the gas is found by halving. Unlike viem's `multicall`, an RPC that fails is
 * not taken for calls that revert.
 * @throws RpcUnavailableError, RpcRefusedError; viem's error when there is no Multicall3
 */
export async function readContracts<const contracts extends readonly unknown[]>(
  client: Client,
  contracts: MulticallContracts<Narrow<contracts>>,
  blockHash: Hash,
): Promise<MulticallReturnType<contracts>> {
  const calls = (contracts as readonly ContractFunctionParameters[]).map(toCall)
  const chunks = Array.from({ length: Math.ceil(calls.length / callsPerRequest) }, (_, at) =>
    calls.slice(at * callsPerRequest, (at + 1) * callsPerRequest),
  )
  const results = await Promise.all(chunks.map((chunk) => readChunk(client, chunk, blockHash)))
  return results.flat() as MulticallReturnType<contracts>
}

type Client = Pick<ChainClient, 'chain' | 'readContract'>
type Result = MulticallReturnType[number]
type Call = ReturnType<typeof toCall>

const toCall = (contract: ContractFunctionParameters) => ({
  contract,
  encoded: {
    target: contract.address,
    allowFailure: true,
    callData: encodeFunctionData(contract),
  },
})

async function readChunk(
  client: Client,
  calls: readonly Call[],
  blockHash: Hash,
): Promise<Result[]> {
  try {
    const answers = await client.readContract({
      address: client.chain.contracts.multicall3.address,
      abi: multicall3Abi,
      functionName: 'aggregate3',
      args: [calls.map(({ encoded }) => encoded)],
      blockHash,
    })
    return calls.map(({ contract }, at) => toResult(contract, answers[at]))
  } catch (error) {
    if (!isOutcome(error)) throw error
    if (calls.length === 1) return [failure(error)]
    const half = Math.ceil(calls.length / 2)
    const halves = [calls.slice(0, half), calls.slice(half)]
    return (await Promise.all(halves.map((part) => readChunk(client, part, blockHash)))).flat()
  }
}

/** The node ran the call and it failed as a whole; anything else is not about the contracts read. */
const isOutcome = (error: unknown): boolean =>
  error instanceof BaseError && error.walk((each) => each instanceof RpcRequestError) !== null

function toResult(
  contract: ContractFunctionParameters,
  answer: Readonly<{ success: boolean; returnData: Hex }> | undefined,
): Result {
  if (!answer?.success) return failure(new Error(`${contract.functionName} reverted`))
  try {
    const data = answer.returnData
    return { status: 'success', result: decodeFunctionResult({ ...contract, data }) }
  } catch (error) {
    return failure(error)
  }
}

const failure = (error: unknown): Result => ({
  status: 'failure',
  error: error instanceof Error ? error : new Error(String(error)),
})
