import { decodeFunctionResult, encodeFunctionData, type Hash } from 'viem'
import type { ChainClient } from '#src/chains/chainClient.ts'
import { RpcUnavailableError } from '#src/chains/rpcError.ts'
import { tickReader } from '#src/contracts/artifacts/tickReader.ts'
import { maxTick, minTick, type Tick } from '#src/pools/tickMap.ts'
import type { Address } from '#src/units/address.ts'

/**
 * All initialised ticks of a concentrated pool at one block, ascending. One eth_call runs
 * `TickReader.sol` over the whole bitmap (6,932 words at spacing 1: 20 ms on anvil, where a
 * multicall of the words takes 17 times as long); a node that stops it for its gas is asked for
 * halves.
 * @throws RpcUnavailableError or RpcRefusedError when the node fails; viem's error for one word
 * that cannot be read, such as where there is no pool.
 */
export const readTicks = (
  client: ChainClient,
  pool: Readonly<{ address: Address; tickSpacing: number }>,
  blockHash: Hash,
): Promise<readonly Tick[]> =>
  readWords(client, pool, blockHash, {
    first: wordOf(minTick, pool.tickSpacing),
    last: wordOf(maxTick, pool.tickSpacing),
  })

/** @source v3-core TickBitmap.position; the outermost usable ticks lie inside, as they round to zero. */
const wordOf = (tick: number, tickSpacing: number): number => Math.trunc(tick / tickSpacing) >> 8

type Words = Readonly<{ first: number; last: number }>

async function readWords(
  client: ChainClient,
  pool: Readonly<{ address: Address; tickSpacing: number }>,
  blockHash: Hash,
  words: Words,
): Promise<readonly Tick[]> {
  const args = [pool.address, pool.tickSpacing, words.first, words.last] as const
  const data = encodeFunctionData({ abi: tickReader.abi, functionName: 'read', args })
  try {
    const answer = await client.call({ code: tickReader.bytecode, data, blockHash })
    return decodeFunctionResult({
      abi: tickReader.abi,
      functionName: 'read',
      data: answer.data ?? '0x',
    })
  } catch (error) {
    if (error instanceof RpcUnavailableError || words.first === words.last) throw error
    const middle = Math.floor((words.first + words.last) / 2)
    const lower = await readWords(client, pool, blockHash, { first: words.first, last: middle })
    const upper = await readWords(client, pool, blockHash, { first: middle + 1, last: words.last })
    return [...lower, ...upper]
  }
}
