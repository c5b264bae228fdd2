import { decodeEventLog, getAbiItem, type Hex, type Log, parseAbi, toEventSelector } from 'viem'
import { pancakeV3SwapAbi, uniswapV2PairAbi, uniswapV3PoolAbi } from '#src/contracts/abis.ts'
import { poolTopics } from '#src/market/pools/applyLogs.ts'
import type { Pool } from '#src/pools/pool.ts'

/** The decoded events that tell the price of a pool after them. */
const priceAbi = [
  getAbiItem({ abi: uniswapV2PairAbi, name: 'Sync' }),
  getAbiItem({ abi: uniswapV3PoolAbi, name: 'Initialize' }),
  getAbiItem({ abi: uniswapV3PoolAbi, name: 'Swap' }),
  ...pancakeV3SwapAbi,
] as const

const priceTopics: ReadonlySet<Hex> = new Set(priceAbi.map(toEventSelector))

/**
 * Events of the supported pools that need no decoding: they change no price, or another event tells the change.
 * @source Uniswap v2-core 1.0.1 IUniswapV2Pair, v3-core 1.0.1 IUniswapV3PoolEvents
 */
const otherAbi = parseAbi([
  'event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)',
  'event Mint(address indexed sender, uint256 amount0, uint256 amount1)',
  'event Burn(address indexed sender, uint256 amount0, uint256 amount1, address indexed to)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event Approval(address indexed owner, address indexed spender, uint256 value)',
  'event Collect(address indexed owner, address recipient, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount0, uint128 amount1)',
  'event Flash(address indexed sender, address indexed recipient, uint256 amount0, uint256 amount1, uint256 paid0, uint256 paid1)',
  'event CollectProtocol(address indexed sender, address indexed recipient, uint128 amount0, uint128 amount1)',
  'event SetFeeProtocol(uint8 feeProtocol0Old, uint8 feeProtocol1Old, uint8 feeProtocol0New, uint8 feeProtocol1New)',
  'event IncreaseObservationCardinalityNext(uint16 observationCardinalityNextOld, uint16 observationCardinalityNextNew)',
])

const knownTopics: ReadonlySet<Hex> = new Set([...poolTopics, ...otherAbi.map(toEventSelector)])

type PoolLog = Pick<Log, 'topics' | 'data'>

/**
 * The topic of the event that must have moved the price of a pool, where nothing that is decoded explains the price on
 * chain: such a pool swaps with an event of its own. Undefined if the price did not move, if a decoded event tells it
 * (which an RPC then hid before), or if the pool emitted no unknown event.
 * @param logs All logs of the pool since its state was last right, in order.
 */
export function undecodedSwapTopic(
  known: Pool,
  onChain: Pool,
  logs: readonly PoolLog[],
): Hex | undefined {
  const price = priceOf(onChain)
  if (priceOf(known) === price) return undefined
  const told = logs.findLast(({ topics: [topic] }) => topic !== undefined && priceTopics.has(topic))
  if (told !== undefined && toldPrice(told) === price) return undefined
  const unknown = logs.findLast(
    ({ topics: [topic] }) => topic !== undefined && !knownTopics.has(topic),
  )
  return unknown?.topics[0]
}

const priceOf = (pool: Pool): string =>
  pool.kind === 'constantProduct' ? `${pool.reserve0}/${pool.reserve1}` : `${pool.sqrtPriceX96}`

/** Undefined for a log that has the topic of an event and not its data. */
function toldPrice({ topics, data }: PoolLog): string | undefined {
  try {
    const { eventName, args } = decodeEventLog({ abi: priceAbi, topics, data })
    return eventName === 'Sync' ? `${args.reserve0}/${args.reserve1}` : `${args.sqrtPriceX96}`
  } catch {
    return undefined
  }
}
