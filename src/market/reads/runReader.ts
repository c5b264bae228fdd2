import type {
  Abi,
  ContractFunctionArgs,
  ContractFunctionName,
  ContractFunctionReturnType,
  Hash,
  Hex,
} from 'viem'
import { isCallError } from '#src/chains/read/callContracts.ts'
import { decodeAnswer, encodeCall } from '#src/chains/read/callData.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { RpcUnavailableError } from '#src/chains/rpc/rpcError.ts'

/**
 * Runs a view function of one of our reader contracts at one block, without deploying it: an eth_call creates the
 * contract and calls it.
 * @throws RpcUnavailableError or RpcRefusedError if the node fails or its answer is invalid; an error for which
 * `isCallError` is true if the call reverts or runs out of gas.
 */
export async function runReader<
  const ContractAbi extends Abi,
  Name extends ContractFunctionName<ContractAbi, 'view'>,
>(
  client: ChainClient,
  { abi, bytecode }: Readonly<{ abi: ContractAbi; bytecode: Hex }>,
  call: Readonly<{
    functionName: Name
    args: ContractFunctionArgs<ContractAbi, 'view', Name>
    blockHash: Hash
  }>,
): Promise<ContractFunctionReturnType<ContractAbi, 'view', Name>> {
  const { functionName, args, blockHash } = call
  const read = { abi, functionName, args: args as readonly unknown[] }
  const data = encodeCall(read)
  const answer = await client.call({ code: bytecode, data, blockHash })
  try {
    return decodeAnswer(read, answer.data ?? '0x') as ContractFunctionReturnType<
      ContractAbi,
      'view',
      Name
    >
  } catch {
    throw new RpcUnavailableError({ id: client.chain.id, displayName: client.chain.name })
  }
}

/**
 * The answers of `call` for all `items`. If a call reverts or exceeds the node's gas limit, each half is called
 * separately. `giveUp` supplies the answers for a single item that still fails.
 */
export async function callWithBisection<Item, Answer>(
  items: readonly Item[],
  call: (items: readonly Item[]) => Promise<readonly Answer[]>,
  giveUp: (item: Item, error: unknown) => readonly Answer[],
): Promise<readonly Answer[]> {
  const [first] = items
  if (first === undefined) return []
  try {
    return await call(items)
  } catch (error) {
    if (!isCallError(error)) throw error
    if (items.length === 1) return giveUp(first, error)
    const half = Math.ceil(items.length / 2)
    const lower = await callWithBisection(items.slice(0, half), call, giveUp)
    return [...lower, ...(await callWithBisection(items.slice(half), call, giveUp))]
  }
}
