import { depthOfReserves } from '#src/core/pools/constantProduct/constantProduct.ts'
import { orientedPrice, type PoolDepth, type PoolKind } from '#src/core/pools/poolKind.ts'
import { solidlyShape, writeSolidly } from './solidlyReserves.ts'
import { stableDepth } from './stableRanges.ts'
import { giveAll, type SolidlyPool, swapSolidly } from './swapSolidly.ts'

/** The router transfers the input, and asks the pool for its output. */
const asksPoolFlag = 4

/**
 * The first swap after half an hour takes up to 70,000 more, because it writes an observation. The state does not show
 * this.
 */
const volatileGas = 128_000n
const stableGas = 150_000n
const gasOf = ({ stable }: SolidlyPool): bigint => (stable ? stableGas : volatileGas)

export const solidly: PoolKind<SolidlyPool> = {
  swap: swapSolidly,
  giveAll,
  spotPrice(pool, zeroForOne) {
    const { reserve0, reserve1, unit0, unit1 } = pool
    if (!pool.stable) return orientedPrice(reserve1, reserve0, zeroForOne)
    // The slopes of x³y + xy³ at x and y, both as reserve0 × reserve1 in the same unit.
    const [x, y] = [reserve0 * unit1, reserve1 * unit0]
    const byX = 3n * x * x * y + y ** 3n
    const byY = x ** 3n + 3n * x * y * y
    return orientedPrice(byX * unit1, byY * unit0, zeroForOne)
  },
  depth: depthOfSolidly,
  hopFlags: asksPoolFlag,
  hopGas: gasOf,
  minHopGas: volatileGas,
  shape: (pool) => solidlyShape(pool, Number(gasOf(pool))),
  writeReserves: writeSolidly,
}

/** Rounded down. */
export function depthOfSolidly(
  pool: Pick<SolidlyPool, 'stable' | 'reserve0' | 'reserve1' | 'unit0' | 'unit1'>,
): PoolDepth {
  return pool.stable ? stableDepth(pool) : depthOfReserves(pool)
}
