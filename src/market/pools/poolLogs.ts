import { getAbiItem, type Hex, type Log, toEventSelector } from 'viem'
import { pancakeV3SwapAbi, uniswapV2PairAbi, uniswapV3PoolAbi } from '#src/contracts/abis.ts'
import type { Pool } from '#src/pools/pool.ts'
import type { ConcentratedEvent, ConstantProductEvent } from '#src/pools/poolEvents.ts'

type PoolLog = Pick<Log<bigint, number, false>, 'topics' | 'data'>

/** @throws RangeError if the log is not such an event. */
type Decoder<Event> = (log: PoolLog) => Event

const topicOf = (abi: typeof uniswapV3PoolAbi, name: ConcentratedEvent['eventName']): Hex =>
  toEventSelector(getAbiItem({ abi, name }))

/**
 * The decoders of the events that change the state of a pool, by pool kind and topic: a pool emits the Swap event of its
 * own code only. They are written by hand because viem hashes signatures for each log, which takes twenty times as long.
 */
export const poolLogDecoders: Readonly<{
  constantProduct: ReadonlyMap<Hex, Decoder<ConstantProductEvent>>
  concentrated: ReadonlyMap<Hex, Decoder<ConcentratedEvent>>
}> = {
  constantProduct: new Map([
    [toEventSelector(getAbiItem({ abi: uniswapV2PairAbi, name: 'Sync' })), decodeSync],
  ]),
  concentrated: new Map<Hex, Decoder<ConcentratedEvent>>([
    [topicOf(uniswapV3PoolAbi, 'Initialize'), decodeInitialize],
    [topicOf(uniswapV3PoolAbi, 'Mint'), decodeMint],
    [topicOf(uniswapV3PoolAbi, 'Burn'), decodeBurn],
    [topicOf(uniswapV3PoolAbi, 'Swap'), (log) => decodeSwap(log, 5)],
    [
      toEventSelector(getAbiItem({ abi: pancakeV3SwapAbi, name: 'Swap' })),
      // The fees of the protocol come last.
      (log) => decodeSwap(log, 7),
    ],
  ]),
} satisfies Record<Pool['kind'], unknown>

function decodeSync(log: PoolLog): ConstantProductEvent {
  const [reserve0, reserve1] = fieldsOf(log, 2, 0)
  return { eventName: 'Sync', args: { reserve0, reserve1 } }
}

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

/** The bounds of a position, which are topics after its owner. */
const rangeOf = ({ topics }: PoolLog) => ({
  tickLower: toSigned(wordAt(topics[2] ?? '0x', 0)),
  tickUpper: toSigned(wordAt(topics[3] ?? '0x', 0)),
})

type Fields = readonly [bigint, bigint, bigint, bigint, bigint]

/** The first five fields of the data, as far as there are `count`. @param indexed number of fields that are topics. */
function fieldsOf({ topics, data }: PoolLog, count: number, indexed: number): Fields {
  if (topics.length <= indexed) throw new RangeError('A log has too few topics')
  const field = (at: number) => (at < count ? wordAt(data, at) : 0n)
  if (data.length < 2 + 64 * count) throw new RangeError('A log has too little data')
  return [field(0), field(1), field(2), field(3), field(4)]
}

/** The unsigned number in a word of 32 bytes. */
function wordAt(data: Hex, at: number): bigint {
  const start = 2 + 64 * at
  const digits = data.slice(start, start + 64)
  if (digits.length < 64) throw new RangeError('A word of a log is too short')
  return BigInt(`0x${digits}`)
}

function toSigned(word: bigint): number {
  const value = Number(BigInt.asIntN(256, word))
  if (!Number.isSafeInteger(value)) throw new RangeError('A number of a log is too large')
  return value
}
