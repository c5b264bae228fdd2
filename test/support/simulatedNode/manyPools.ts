import { numberToHex } from 'viem'
import { toTickMap } from '#src/core/pools/concentrated/tickMap.ts'
import { type Address, toAddress } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { toPips } from '#src/core/units/pips.ts'
import { emptyState, type SimulatedPool, type SimulatedState } from './simulatedState.ts'

export const v2Factory = toAddress('0x00000000000000000000000000000000000fac02')
export const v3Factory = toAddress('0x00000000000000000000000000000000000fac03')

const addressOf = (kind: number, at: number): Address =>
  toAddress(numberToHex((BigInt(kind) << 64n) + BigInt(at) + 1n, { size: 20 }))

/** √1 × 2^96 at tick 0. */
const evenPrice = 2n ** 96n

type Counts = Readonly<{
  pairs: number
  concentrated: number
  /** Initialised ticks of each concentrated pool: an even number. */
  ticksPerPool?: number
}>

/**
 * A state with this number of pools, and enough tokens that no two pools of a kind have the same pair. All tokens have
 * 18 decimals and the same value.
 */
export function manyPools(
  chainId: ChainId,
  { pairs, concentrated, ticksPerPool = 4 }: Counts,
): SimulatedState {
  const sides: (readonly [Address, Address])[] = []
  for (let high = 1; sides.length < Math.max(pairs, concentrated); high += 1)
    for (let low = 0; low < high && sides.length < Math.max(pairs, concentrated); low += 1)
      sides.push([addressOf(1, low), addressOf(1, high)])
  const tokens = new Map(
    [...new Set(sides.flat())].map((address, at) => [
      address,
      {
        symbol: `T${at}`,
        name: `Token ${at}`,
        decimals: 18,
        hasBytes32Texts: false,
        balances: new Map(),
      },
    ]),
  )
  const pools = [
    ...sides.slice(0, pairs).map((side, at) => pairOf(chainId, side, at)),
    ...sides
      .slice(0, concentrated)
      .map((side, at) => concentratedOf(chainId, side, at, ticksPerPool)),
  ]
  return { ...emptyState, tokens, pools: new Map(pools.map((each) => [each.pool.address, each])) }
}

type Side = readonly [currency0: Address, currency1: Address]

function pairOf(chainId: ChainId, [currency0, currency1]: Side, at: number): SimulatedPool {
  const reserve = 10n ** 24n + BigInt(at)
  return {
    factory: v2Factory,
    blockTimestampLast: 1_700_000_000,
    pool: {
      kind: 'constantProduct',
      chainId,
      address: addressOf(2, at),
      source: 'v2',
      currency0,
      currency1,
      fee: toPips(3_000),
      reserve0: reserve,
      reserve1: reserve,
    },
  }
}

function concentratedOf(
  chainId: ChainId,
  [currency0, currency1]: Side,
  at: number,
  tickCount: number,
): SimulatedPool {
  const liquidity = 10n ** 22n
  const tickSpacing = 60
  const bounds = Array.from({ length: tickCount / 2 }, (_, place) => (place + 1) * tickSpacing)
  const ticks = bounds.flatMap((index) => [
    { index: -index, liquidityNet: liquidity, liquidityGross: liquidity },
    { index, liquidityNet: -liquidity, liquidityGross: liquidity },
  ])
  return {
    factory: v3Factory,
    slot: [0, 1, 1, 0, true],
    pool: {
      kind: 'concentrated',
      chainId,
      address: addressOf(3, at),
      source: 'v3',
      currency0,
      currency1,
      fee: toPips(3_000),
      tickSpacing,
      sqrtPriceX96: evenPrice,
      tick: 0,
      liquidity: liquidity * BigInt(bounds.length),
      ticks: toTickMap(ticks, tickSpacing),
    },
  }
}
