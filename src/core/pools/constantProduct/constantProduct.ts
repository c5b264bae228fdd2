import { orientedPrice } from '#src/core/pools/orientedPrice.ts'
import { type PoolDepth, type PoolKind, sqrtHalfX96 } from '#src/core/pools/poolKind.ts'
import { capacity, reserveIn, reserveOut } from '#src/core/pools/virtualReserves.ts'
import { mulDivUp } from '#src/core/units/mulDiv.ts'
import type { ConstantProductPool } from './constantProductPool.ts'
import { swapConstantProduct } from './swapConstantProduct.ts'

const hopGas = 60_000n

export const constantProduct: PoolKind<ConstantProductPool> = {
  swap: swapConstantProduct,
  spotPrice: ({ reserve0, reserve1 }, zeroForOne) => orientedPrice(reserve1, reserve0, zeroForOne),
  depth: depthOfReserves,
  hopFlags: 0,
  hopGas: () => hopGas,
  minHopGas: hopGas,
  shape: ({ fee }) => ({
    ranges: undefined,
    feeFactor: 1 - fee / 1_000_000,
    hopGas: Number(hopGas),
    feeJoins: true,
    hasTicks: false,
  }),
  writeReserves(reserves, offset, pool, shape, zeroForOne) {
    const [paid, bought] = zeroForOne
      ? [pool.reserve0, pool.reserve1]
      : [pool.reserve1, pool.reserve0]
    // Every output of a reserve of one unit is rounded down to nothing.
    if (paid === 0n || bought <= 1n) return
    reserves[offset + reserveIn] = Number(paid) / shape.feeFactor
    reserves[offset + reserveOut] = Number(bought)
    reserves[offset + capacity] = 2 ** 112 - Number(paid)
  },
}

/** Rounded down. */
export function depthOfReserves({
  reserve0,
  reserve1,
}: Pick<ConstantProductPool, 'reserve0' | 'reserve1'>): PoolDepth {
  return { amount0: untilDouble(reserve0), amount1: untilDouble(reserve1) }
}

/** With x × y = k, a reserve falls to √½ of itself when its price doubles. */
const untilDouble = (reserve: bigint): bigint => reserve - mulDivUp(reserve, sqrtHalfX96, 1n << 96n)
