import {
  type Abi,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type ContractFunctionReturnType,
  decodeFunctionResult,
  encodeFunctionData,
  type Hash,
  type Hex,
} from 'viem'
import { isOutcome } from '#src/chains/callContracts.ts'
import type { ChainClient } from '#src/chains/chainClient.ts'
import { RpcUnavailableError } from '#src/chains/rpcError.ts'

/**
 * Runs a view function of a contract of ours that is deployed nowhere, at one block: an eth_call that
 * creates a contract hands back what its constructor returns.
 * @throws RpcUnavailableError or RpcRefusedError when the node fails or its answer makes no sense; an
 * error that `isOutcome` knows when the call reverts or runs out of gas.
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
  const data = encodeFunctionData({ abi, functionName, args } as never)
  const answer = await client.call({ code: bytecode, data, blockHash })
  try {
    const data = answer.data ?? '0x'
    return decodeFunctionResult({ abi, functionName, data } as never) as ContractFunctionReturnType<
      ContractAbi,
      'view',
      Name
    >
  } catch {
    throw new RpcUnavailableError({ id: client.chain.id, displayName: client.chain.name })
  }
}

/**
 * All that `ask` answers for `items`, which may take more gas than a node spends on one call: then it is
 * asked for each half. What takes too much or reverts alone is what `giveUp` makes of it.
 */
export async function askInHalves<Item, Answer>(
  items: readonly Item[],
  ask: (items: readonly Item[]) => Promise<readonly Answer[]>,
  giveUp: (item: Item, error: unknown) => readonly Answer[],
): Promise<readonly Answer[]> {
  const [first] = items
  if (first === undefined) return []
  try {
    return await ask(items)
  } catch (error) {
    if (!isOutcome(error)) throw error
    if (items.length === 1) return giveUp(first, error)
    const half = Math.ceil(items.length / 2)
    const lower = await askInHalves(items.slice(0, half), ask, giveUp)
    return [...lower, ...(await askInHalves(items.slice(half), ask, giveUp))]
  }
}
