import { getAbiItem, type Hex, toEventSelector } from 'viem'
import type { ConcentratedEvent } from '#src/core/pools/concentrated/concentratedPool.ts'
import { type Decoder, fieldsOf, toSigned, wordAt } from '#src/market/kinds/logWords.ts'
import type { PoolLog } from '#src/market/kinds/marketKind.ts'
import { pancakeV3SwapAbi, uniswapV3PoolAbi } from '#src/protocol/contracts/abis.ts'

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
