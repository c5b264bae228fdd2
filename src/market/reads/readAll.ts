import type {
  Abi,
  ContractFunctionArgs,
  ContractFunctionName,
  ContractFunctionReturnType,
  Hash,
  Hex,
} from 'viem'
import { callContracts } from '#src/chains/read/callContracts.ts'
import { decodeAnswer, encodeCall } from '#src/chains/read/callData.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'

/** One contract call and its decoder, which throws on an invalid answer. */
export type Read<Value> = Readonly<{ to: Hex; data: Hex; decode: (answer: Hex) => Value }>

/** A read of a view function. */
export const read = <
  const ContractAbi extends Abi,
  Name extends ContractFunctionName<ContractAbi, 'pure' | 'view'>,
  Args extends ContractFunctionArgs<ContractAbi, 'pure' | 'view', Name>,
>(
  to: Hex,
  abi: ContractAbi,
  functionName: Name,
  args: Args,
): Read<ContractFunctionReturnType<ContractAbi, 'pure' | 'view', Name, Args>> => {
  const call = { abi, functionName, args: args as readonly unknown[] }
  return {
    to,
    data: encodeCall(call),
    decode: (data) =>
      decodeAnswer(call, data) as ContractFunctionReturnType<
        ContractAbi,
        'pure' | 'view',
        Name,
        Args
      >,
  }
}

type Groups = Readonly<Record<string, readonly Read<unknown>[]>>

/** An answer for each read, in the same order; undefined if the call reverted or its answer is invalid. */
type Answers<Reads extends Groups> = Readonly<{
  [Name in keyof Reads]: readonly (Reads[Name][number] extends Read<infer Value>
    ? Value | undefined
    : never)[]
}>

/**
 * Reads all groups at one block with as few multicalls as possible, usually one.
 * @throws RpcUnavailableError or RpcRefusedError if the node fails.
 */
export async function readAll<const Reads extends Groups>(
  client: ChainClient,
  groups: Reads,
  blockHash: Hash,
): Promise<Answers<Reads>> {
  const reads = Object.values(groups).flat()
  const answers = await callContracts(client, reads, blockHash)
  const values = reads
    .map(({ decode }, at) => {
      const answer = answers[at]
      return answer === undefined ? undefined : attempt(() => decode(answer))
    })
    .values()
  return Object.fromEntries(
    Object.entries(groups).map(([name, group]) => [name, group.map(() => values.next().value)]),
  ) as unknown as Answers<Reads>
}

function attempt(decode: () => unknown): unknown {
  try {
    return decode()
  } catch {
    return undefined
  }
}
