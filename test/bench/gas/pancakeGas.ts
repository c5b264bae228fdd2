import { createRequire } from 'node:module'
import { encodeDeployData, encodeFunctionData, erc20Abi, type Hex, parseEventLogs } from 'viem'
import type { Pool } from '#src/core/pools/pool.ts'
import type { Path } from '#src/core/router/route.ts'
import { type Address, toAddress } from '#src/core/units/address.ts'
import type { ContractRig, Transaction } from '#test/contracts/contractRig.ts'
import { pancakePools } from '#test/support/artifacts/pancakePools.ts'
import type { MeasureGas } from './measureGas.ts'

const { abi } = pancakePools
const code: Hex = createRequire(import.meta.url)(
  '@pancakeswap/v3-core/artifacts/contracts/PancakeV3Pool.sol/PancakeV3Pool.json',
).bytecode

/** Measures a hop through a pool of PancakeSwap v3 beside the same one through the pool of `path`, of Uniswap v3. */
export async function measurePancake(
  rig: ContractRig,
  measure: MeasureGas,
  path: Path,
  transactionOf: (path: Path) => Transaction,
): Promise<void> {
  await measure('v3, 1 hop, little', transactionOf(path))
  await measure('PancakeSwap v3, 1 hop, little', transactionOf(await pancakePathOf(rig, path)))
}

/** The path of another pool through a pool of PancakeSwap v3 with the same fee, price and currencies. */
async function pancakePathOf(rig: ContractRig, path: Path): Promise<Path> {
  const { client, user, send } = rig
  const [hop] = path.hops
  if (hop?.pool.kind !== 'concentrated') throw new Error('The path has no concentrated pool')
  const { pool, zeroForOne } = hop
  const hash = await client.sendTransaction({
    account: user,
    chain: null,
    data: encodeDeployData(pancakePools),
    gas: 25_000_000n,
  })
  await client.mine({ blocks: 1 })
  const { contractAddress } = await client.getTransactionReceipt({ hash })
  const factory = toAddress((contractAddress ?? '0x').toLowerCase())
  const call = (functionName: 'create' | 'mint' | 'swap', args: readonly unknown[]) =>
    send({ to: factory, data: encodeFunctionData({ abi, functionName, args } as never) })
  for (const currency of [pool.currency0, pool.currency1]) {
    const held = await rig.balance(currency, user)
    const args = [factory, held / 4n] as const
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
    await send({ to: currency, data })
  }
  const { currency0, currency1, fee, tickSpacing, sqrtPriceX96, tick, liquidity } = pool
  const created = await call('create', [
    ...[code, currency0, currency1, fee, tickSpacing, sqrtPriceX96],
  ])
  const [event] = parseEventLogs({ abi, logs: created.logs, eventName: 'PoolCreated' })
  const address = toAddress((event?.args.pool ?? '0x').toLowerCase()) as Address
  const aligned = Math.floor(tick / tickSpacing) * tickSpacing
  const width = 100 * tickSpacing
  await call('mint', [address, aligned - width, aligned + width, liquidity / 100n])
  // The first swap of a pool initialises a slot of its oracle.
  await client.increaseTime({ seconds: 12 })
  const limit = zeroForOne ? 4_295_128_740n : 2n ** 159n
  await call('swap', [address, zeroForOne, 1_000_000n, limit])
  return { ...path, hops: [{ ...hop, pool: { ...pool, address } satisfies Pool }] }
}
