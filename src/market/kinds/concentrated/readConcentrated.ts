import { erc20Abi } from 'viem'
import { depthInRange } from '#src/core/pools/concentrated/concentrated.ts'
import type { TickState } from '#src/core/pools/concentrated/concentratedPool.ts'
import { liquidityAt, toTickMap } from '#src/core/pools/concentrated/tickMap.ts'
import type { PoolIdentity } from '#src/core/pools/poolIdentity.ts'
import type { PoolDepth } from '#src/core/pools/poolKind.ts'
import type { Address } from '#src/core/units/address.ts'
import { toPips } from '#src/core/units/pips.ts'
import type { ReadContext } from '#src/market/kinds/marketKind.ts'
import { type Read, read } from '#src/market/reads/readAll.ts'
import { type Reading, reading } from '#src/market/reads/reading.ts'
import { uniswapV3PoolAbi } from '#src/protocol/contracts/abis.ts'
import { readTicksTogether } from './readTicks.ts'

type FoundPool = Omit<PoolIdentity, 'chainId' | 'fee'>

/** A pool's price and tick. The other fields differ between forks. */
type Slot0 = readonly [sqrtPriceX96: bigint, tick: number, ...rest: unknown[]]

export const slot0Of = (address: Address): Read<Slot0> =>
  read(address, uniswapV3PoolAbi, 'slot0', [])

/** Takes four calls in the multicall, and a share of a separate call for the ticks. */
export const readTickState = <Pool extends FoundPool>(
  pool: Pool,
  context: ReadContext,
  slot0: Read<Slot0>,
): Reading<Promise<(Pool & PoolIdentity & TickState) | undefined>> => {
  const { address } = pool
  const fields = {
    slot0,
    liquidity: read(address, uniswapV3PoolAbi, 'liquidity', []),
    fee: read(address, uniswapV3PoolAbi, 'fee', []),
    tickSpacing: read(address, uniswapV3PoolAbi, 'tickSpacing', []),
  }
  return reading(fields, async ({ slot0, liquidity, fee, tickSpacing }) => {
    if (!slot0 || liquidity === undefined || fee === undefined || !tickSpacing) return undefined
    const [sqrtPriceX96, tick] = slot0
    const found = await readTicksTogether(context, { address, tickSpacing })
    if (found === undefined) return undefined
    try {
      const ticks = toTickMap(found, tickSpacing)
      if (sqrtPriceX96 !== 0n && liquidityAt(ticks, tick) !== liquidity) return undefined
      const state = { tickSpacing, sqrtPriceX96, tick, liquidity, ticks }
      return { ...pool, chainId: context.chainId, fee: toPips(fee), ...state }
    } catch {
      return undefined
    }
  })
}

/**
 * Estimates the depth without the ticks: assumes that the liquidity at the current price covers the whole price
 * range that `PoolDepth` measures, and limits each amount to the pool's balance.
 */
export const readTickDepth = (
  { address, currency0, currency1 }: FoundPool,
  trusted: readonly Address[],
  slot0: Read<Slot0>,
): Reading<PoolDepth> => {
  const fields = {
    slot0,
    liquidity: read(address, uniswapV3PoolAbi, 'liquidity', []),
    ...Object.fromEntries(
      trusted.map((each) => [each, read(each, erc20Abi, 'balanceOf', [address])] as const),
    ),
  }
  return reading(fields, ({ slot0, liquidity, ...balances }) => {
    const [sqrtPriceX96] = slot0 ?? [0n]
    const inRange = depthInRange({ sqrtPriceX96, liquidity: liquidity ?? 0n })
    const held = (currency: Address) =>
      (balances as Record<Address, bigint | undefined>)[currency] ?? 0n
    return {
      amount0: smaller(inRange.amount0, held(currency0)),
      amount1: smaller(inRange.amount1, held(currency1)),
    }
  })
}

const smaller = (one: bigint, other: bigint): bigint => (one < other ? one : other)
