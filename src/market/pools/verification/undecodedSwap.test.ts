import { encodeAbiParameters, type Hex, keccak256, toHex } from 'viem'
import { expect, test } from 'vitest'
import type { ConstantProductPool } from '#src/core/pools/constantProduct/constantProduct.ts'
import { toAddress } from '#src/core/units/address.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import { toPips } from '#src/core/units/pips.ts'
import { undecodedSwapTopic } from './undecodedSwap.ts'

const addressOf = (at: number) => toAddress(`0x${at.toString(16).padStart(40, '0')}`)

const known: ConstantProductPool = {
  kind: 'constantProduct',
  chainId: toChainId(1),
  address: addressOf(1),
  source: 'fork-v2',
  currency0: addressOf(2),
  currency1: addressOf(3),
  fee: toPips(3000),
  reserve0: 1_000n,
  reserve1: 2_000n,
}
const onChain = { ...known, reserve0: 1_100n, reserve1: 1_819n }

const logOf = (event: string, data: Hex = '0x') => ({
  topics: [keccak256(toHex(event))] as [Hex],
  data,
})
const syncOf = (...reserves: readonly [bigint, bigint]) =>
  logOf(
    'Sync(uint112,uint112)',
    encodeAbiParameters([{ type: 'uint112' }, { type: 'uint112' }], reserves),
  )
const transfer = logOf('Transfer(address,address,uint256)')
/** As Solidly's pairs emit it: their reserves have 256 bits. */
const unknown = logOf('Sync(uint256,uint256)')
const [topic] = unknown.topics

test('names the unknown event of a pool whose price nothing else explains', () => {
  expect(undecodedSwapTopic(known, onChain, [transfer, unknown, transfer])).toBe(topic)
  // An older decoded event has another price.
  expect(undecodedSwapTopic(known, onChain, [syncOf(1_050n, 1_905n), unknown])).toBe(topic)
})

test('accuses no pool whose price a decoded event explains: an endpoint had hidden it', () => {
  const decoded = syncOf(onChain.reserve0, onChain.reserve1)
  expect(undecodedSwapTopic(known, onChain, [unknown, decoded])).toBeUndefined()
  expect(undecodedSwapTopic(known, onChain, [decoded, unknown])).toBeUndefined()
})

test('accuses no pool without an unknown event, or whose price did not move', () => {
  expect(undecodedSwapTopic(known, onChain, [transfer])).toBeUndefined()
  expect(undecodedSwapTopic(known, onChain, [])).toBeUndefined()
  expect(undecodedSwapTopic(known, { ...known }, [unknown])).toBeUndefined()
})

test('a decoded topic without its data explains no price', () => {
  const broken = logOf('Sync(uint112,uint112)')
  expect(undecodedSwapTopic(known, onChain, [unknown, broken])).toBe(topic)
})
