import { erc20Abi, getAbiItem, type Hex, toEventSelector } from 'viem'
import { depthInRange } from '#src/core/pools/concentrated/concentrated.ts'
import type { ConcentratedEvent, TickState } from '#src/core/pools/concentrated/concentratedPool.ts'
import { liquidityAt, toTickMap } from '#src/core/pools/concentrated/tickMap.ts'
import type { PoolDepth, PoolIdentity } from '#src/core/pools/poolKind.ts'
import type { Address } from '#src/core/units/address.ts'
import { toPips } from '#src/core/units/pips.ts'
import { type Decoder, fieldsOf, toSigned, wordAt } from '#src/market/kinds/logWords.ts'
import type { PoolLog, ReadContext } from '#src/market/kinds/marketKind.ts'
import { type Read, read } from '#src/market/reads/readAll.ts'
import { type Reading, reading } from '#src/market/reads/reading.ts'
import { pancakeV3SwapAbi, uniswapV3PoolAbi } from '#src/protocol/contracts/abis.ts'
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

const topicOf = (name: ConcentratedEvent['eventName']): Hex =>
  toEventSelector(getAbiItem({ abi: uniswapV3PoolAbi, name }))

/** The topics of the events that contain the new price. A pool emits only one of the two Swap events. */
export const [initializeTopic, swapTopic, pancakeSwapTopic] = [
  topicOf('Initialize'),
  topicOf('Swap'),
  toEventSelector(getAbiItem({ abi: pancakeV3SwapAbi, name: 'Swap' })),
]

/** The decoders of the events that change the state of a concentrated pool, by topic. */
export const concentratedDecoders: ReadonlyMap<Hex, Decoder<ConcentratedEvent>> = new Map<
  Hex,
  Decoder<ConcentratedEvent>
>([
  [initializeTopic, decodeInitialize],
  [topicOf('Mint'), decodeMint],
  [topicOf('Burn'), decodeBurn],
  [swapTopic, (log) => decodeSwap(log, 5)],
  // The event has two more fields at its end: the protocol fees.
  [pancakeSwapTopic, (log) => decodeSwap(log, 7)],
])

function decodeInitialize(log: PoolLog): ConcentratedEvent {
  const [sqrtPriceX96, tick] = fieldsOf(log, 2, 0)
  return { eventName: 'Initialize', args: { sqrtPriceX96, tick: toSigned(tick) } }
}

function decodeSwap(log: PoolLog, fields: 5 | 7): ConcentratedEvent {
  const [, , sqrtPriceX96, liquidity, tick] = fieldsOf(log, fields, 2)
  return { eventName: 'Swap', args: { sqrtPriceX96, liquidity, tick: toSigned(tick) } }
}

function decodeMint(log: PoolLog): ConcentratedEvent {
  const [, amount] = fieldsOf(log, 4, 3)
  return { eventName: 'Mint', args: { ...rangeOf(log), amount } }
}

function decodeBurn(log: PoolLog): ConcentratedEvent {
  const [amount] = fieldsOf(log, 3, 3)
  return { eventName: 'Burn', args: { ...rangeOf(log), amount } }
}

/** The tick bounds of a position: the two topics after its owner. */
const rangeOf = ({ topics }: PoolLog) => ({
  tickLower: toSigned(wordAt(topics[2] ?? '0x', 0)),
  tickUpper: toSigned(wordAt(topics[3] ?? '0x', 0)),
})
