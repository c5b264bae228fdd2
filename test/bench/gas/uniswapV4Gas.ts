import { createRequire } from 'node:module'
import {
  encodeDeployData,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  zeroAddress,
  zeroHash,
} from 'viem'
import type { ConcentratedPool } from '#src/core/pools/concentrated/concentratedPool.ts'
import { lowestSqrtPrice } from '#src/core/pools/concentrated/tickMap.ts'
import type { Pool } from '#src/core/pools/pool.ts'
import { toManagedPoolId } from '#src/core/pools/poolKind.ts'
import { toProtocolFees, type UniswapV4Pool } from '#src/core/pools/uniswapV4/uniswapV4.ts'
import type { Path } from '#src/core/router/route.ts'
import { type Address, toAddress } from '#src/core/units/address.ts'
import { pathOf } from '#test/bench/poolPaths.ts'
import type { ContractRig, Transaction } from '#test/contracts/contractRig.ts'
import { uniswapV4Pools } from '#test/support/artifacts/uniswapV4Pools.ts'
import type { MeasureGas } from './measureGas.ts'

const { abi } = uniswapV4Pools
const code: Hex = createRequire(import.meta.url)(
  '@uniswap/v4-core/out/PoolManager.sol/PoolManager.json',
).bytecode.object

/**
 * Measures hops through pools of Uniswap v4 beside those through a pool of Uniswap v3 with the same price and currencies:
 * where the wrapped currency, the first of `ends`, is sold, and where it is bought.
 * @param unwrappedOf what sells or buys the native currency itself.
 */
export async function measureUniswapV4(
  {
    rig,
    measure,
    like,
    ends,
  }: Readonly<{
    rig: ContractRig
    measure: MeasureGas
    like: Pool
    ends: readonly [Address, Address]
  }>,
  transactionOf: (path: Path, input: Address, output: Address) => Transaction,
  unwrappedOf: (path: Path, isSale: boolean) => Transaction,
): Promise<void> {
  if (like.kind !== 'concentrated') throw new Error('The pool is not concentrated')
  const poolOf = await deploy(rig, like)
  const [wrapped, other] = ends
  const sale = pathOf(wrapped, 10n ** 16n, [like], false)
  const purchase = pathOf(other, 30_000000n, [like], false)
  await measure('v3, 1 hop, little, other way', transactionOf(purchase, other, wrapped))
  for (const [name, isNative, protocolFee] of [
    ['', false, 0],
    [' with a protocol fee', false, 1000 + (1000 << 12)],
    [' of the native currency', true, 0],
    [' of the native currency with a protocol fee', true, 1000 + (1000 << 12)],
  ] as const) {
    const pool = await poolOf(isNative ? wrapped : undefined, protocolFee)
    const through = (path: Path, isSale: boolean): Path => {
      const zeroForOne = (pool.currency0 === wrapped) === isSale
      return { ...path, hops: path.hops.map((hop) => ({ ...hop, pool, zeroForOne })) }
    }
    const title = `Uniswap v4, 1 hop, little${name}`
    await measure(title, transactionOf(through(sale, true), wrapped, other))
    await measure(`${title}, other way`, transactionOf(through(purchase, false), other, wrapped))
    if (!isNative) continue
    await measure(`${title} itself`, unwrappedOf(through(sale, true), true))
    await measure(`${title} itself, other way`, unwrappedOf(through(purchase, false), false))
  }
}

/** Returns what creates a pool, of the native currency in place of the wrapped one if that is given. */
async function deploy(rig: ContractRig, like: ConcentratedPool) {
  const { client, user, send } = rig
  const data = encodeDeployData({ ...uniswapV4Pools, args: [code] })
  const hash = await client.sendTransaction({ account: user, chain: null, data, gas: 25_000_000n })
  await client.mine({ blocks: 1 })
  const { contractAddress } = await client.getTransactionReceipt({ hash })
  const trader = toAddress((contractAddress ?? '0x').toLowerCase())
  const found = await client.readContract({ address: trader, abi, functionName: 'manager' })
  const address = toAddress(found.toLowerCase())
  await client.setBalance({ address: trader, value: 10n ** 24n })
  for (const currency of [like.currency0, like.currency1]) {
    const held = await rig.balance(currency, user)
    const args = [trader, held / 4n] as const
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
    await send({ to: currency, data })
  }
  const call = (
    functionName: 'create' | 'mint' | 'swap' | 'setProtocolFee',
    args: readonly unknown[],
  ) => send({ to: trader, data: encodeFunctionData({ abi, functionName, args } as never) })
  let fee = like.fee as number

  return async (wrapped: Address | undefined, protocolFee: number): Promise<UniswapV4Pool> => {
    // Another pool each time.
    fee += 1
    const { tickSpacing, liquidity } = like
    const isInverted = wrapped === like.currency1
    const sqrtPriceX96 = isInverted ? (1n << 192n) / like.sqrtPriceX96 : like.sqrtPriceX96
    const tick = isInverted ? -like.tick : like.tick
    const [currency0, currency1] = isInverted
      ? [like.currency1, like.currency0]
      : [like.currency0, like.currency1]
    const key = {
      currency0: wrapped === undefined ? currency0 : zeroAddress,
      currency1,
      fee,
      tickSpacing,
      hooks: zeroAddress,
    }
    await call('create', [key, sqrtPriceX96])
    const aligned = Math.floor(tick / tickSpacing) * tickSpacing
    const [tickLower, tickUpper] = [aligned - 100 * tickSpacing, aligned + 100 * tickSpacing]
    const liquidityDelta = liquidity / 1_000n
    await call('mint', [key, { tickLower, tickUpper, liquidityDelta, salt: zeroHash }])
    if (protocolFee > 0) await call('setProtocolFee', [key, protocolFee])
    // The first swaps write slots that were zero: the growth of fees, and what the protocol is owed.
    for (const zeroForOne of [true, false]) {
      const sqrtPriceLimitX96 = zeroForOne ? lowestSqrtPrice : 1n << 159n
      await call('swap', [key, { zeroForOne, amountSpecified: -1_000_000n, sqrtPriceLimitX96 }])
    }
    return {
      ...like,
      kind: 'uniswapV4',
      address,
      id: toManagedPoolId(zeroHash),
      currency0,
      currency1,
      fee: fee as UniswapV4Pool['fee'],
      protocolFees: toProtocolFees(protocolFee),
      ...(wrapped !== undefined && { hasNative: true }),
      sqrtPriceX96,
      tick,
    }
  }
}
