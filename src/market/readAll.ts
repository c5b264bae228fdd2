import {
  type Abi,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type ContractFunctionReturnType,
  decodeFunctionResult,
  type EncodeFunctionDataParameters,
  encodeFunctionData,
  type Hash,
  type Hex,
  multicall3Abi,
} from 'viem'
import type { ChainClient } from '#src/chains/chainClient.ts'

/** One contract call and how its answer is understood; `decode` may throw on nonsense. */
export type Read<Value> = Readonly<{ to: Hex; data: Hex; decode: (answer: Hex) => Value }>

/** A call of a view function that an ABI describes. */
export const read = <
  const ContractAbi extends Abi,
  Name extends ContractFunctionName<ContractAbi, 'pure' | 'view'>,
  Args extends ContractFunctionArgs<ContractAbi, 'pure' | 'view', Name>,
>(
  to: Hex,
  abi: ContractAbi,
  functionName: Name,
  args: Args,
): Read<ContractFunctionReturnType<ContractAbi, 'pure' | 'view', Name, Args>> => ({
  to,
  data: encodeFunctionData({ abi, functionName, args } as unknown as EncodeFunctionDataParameters),
  decode: (data) =>
    decodeFunctionResult({ abi, functionName, args, data } as never) as ContractFunctionReturnType<
      ContractAbi,
      'pure' | 'view',
      Name,
      Args
    >,
})

type Groups = Readonly<Record<string, readonly Read<unknown>[]>>

/** An answer for each read, in its place: undefined where the call reverted or made no sense. */
type Answers<Reads extends Groups> = Readonly<{
  [Name in keyof Reads]: readonly (Reads[Name][number] extends Read<infer Value>
    ? Value | undefined
    : never)[]
}>

/** More calls than this go in several multicalls: nodes bound the gas and the size of one. */
const mostCalls = 500

/**
 * Reads all groups at one block by one multicall, or as few as their number allows.
 * @throws RpcUnavailableError or RpcRefusedError when the node fails.
 */
export async function readAll<const Reads extends Groups>(
  client: ChainClient,
  groups: Reads,
  blockHash: Hash,
): Promise<Answers<Reads>> {
  const reads = Object.values(groups).flat()
  const chunks = Array.from({ length: Math.ceil(reads.length / mostCalls) }, (_, at) =>
    reads.slice(at * mostCalls, (at + 1) * mostCalls),
  )
  const answers = await Promise.all(chunks.map((chunk) => readChunk(client, chunk, blockHash)))
  const values = answers.flat().values()
  return Object.fromEntries(
    Object.entries(groups).map(([name, group]) => [name, group.map(() => values.next().value)]),
  ) as unknown as Answers<Reads>
}

async function readChunk(
  client: ChainClient,
  reads: readonly Read<unknown>[],
  blockHash: Hash,
): Promise<readonly unknown[]> {
  const answers = await client.readContract({
    address: multicallOf(client),
    abi: multicall3Abi,
    functionName: 'aggregate3',
    args: [reads.map(({ to, data }) => ({ target: to, allowFailure: true, callData: data }))],
    blockHash,
  })
  return reads.map((each, at) => {
    const answer = answers[at]
    return answer?.success === true ? attempt(() => each.decode(answer.returnData)) : undefined
  })
}

function attempt(decode: () => unknown): unknown {
  try {
    return decode()
  } catch {
    return undefined
  }
}

/** Where the chain has its Multicall3, which also tells native balances. */
export function multicallOf({ chain }: ChainClient): Hex {
  const multicall = chain.contracts?.multicall3
  if (multicall === undefined) throw new Error(`Chain ${chain.id} has no Multicall3`)
  return multicall.address
}
