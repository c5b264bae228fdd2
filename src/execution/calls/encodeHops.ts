import { concatHex, type Hex, numberToHex } from 'viem'
import type { Hop } from '#src/pricing/router/route.ts'

const concentrated = 1
const zeroForOne = 2

/**
 * The hops of a path as the router reads them, 44 bytes each: pool, currency that it gives, fee in
 * pips (3 bytes), and what kind of pool is paid in which direction (1 byte).
 */
export const encodeHops = (hops: readonly Hop[]): Hex => concatHex(hops.map(encodeHop))

function encodeHop(hop: Hop): Hex {
  const { pool } = hop
  const flags =
    (pool.kind === 'concentrated' ? concentrated : 0) | (hop.zeroForOne ? zeroForOne : 0)
  return concatHex([
    pool.address,
    hop.zeroForOne ? pool.currency1 : pool.currency0,
    numberToHex(pool.fee, { size: 3 }),
    numberToHex(flags, { size: 1 }),
  ])
}
