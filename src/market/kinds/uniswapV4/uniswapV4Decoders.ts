import { getAbiItem, type Hex, toEventSelector } from 'viem'
import type { UniswapV4Event } from '#src/core/pools/uniswapV4/uniswapV4Pool.ts'
import { type Decoder, fieldsOf, toSigned } from '#src/market/kinds/logWords.ts'
import type { PoolLog } from '#src/market/kinds/marketKind.ts'
import { poolManagerAbi } from '#src/protocol/contracts/abis.ts'

const topicOf = (name: UniswapV4Event['eventName'] | 'Initialize' | 'Donate'): Hex =>
  toEventSelector(getAbiItem({ abi: poolManagerAbi, name }))

export const [initializeTopic, swapTopic, donateTopic] = [
  topicOf('Initialize'),
  topicOf('Swap'),
  topicOf('Donate'),
]

/** The decoders of the events that change the state of a pool, by topic. */
export const uniswapV4Decoders: ReadonlyMap<Hex, Decoder<UniswapV4Event>> = new Map<
  Hex,
  Decoder<UniswapV4Event>
>([
  [swapTopic, decodeSwap],
  [topicOf('ModifyLiquidity'), decodeModifyLiquidity],
  [topicOf('ProtocolFeeUpdated'), decodeProtocolFeeUpdated],
])

function decodeSwap(log: PoolLog): UniswapV4Event {
  const [, , sqrtPriceX96, liquidity, tick] = fieldsOf(log, 6, 2)
  return { eventName: 'Swap', args: { sqrtPriceX96, liquidity, tick: toSigned(tick) } }
}

function decodeModifyLiquidity(log: PoolLog): UniswapV4Event {
  const [tickLower, tickUpper, delta] = fieldsOf(log, 4, 2)
  const liquidityDelta = BigInt.asIntN(256, delta)
  return {
    eventName: 'ModifyLiquidity',
    args: { tickLower: toSigned(tickLower), tickUpper: toSigned(tickUpper), liquidityDelta },
  }
}

function decodeProtocolFeeUpdated(log: PoolLog): UniswapV4Event {
  const [protocolFee] = fieldsOf(log, 1, 1)
  return { eventName: 'ProtocolFeeUpdated', args: { protocolFee: toSigned(protocolFee) } }
}
