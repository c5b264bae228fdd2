import { encodeAbiParameters, type Hex, keccak256, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { RpcRefusedError } from '#src/chains/rpc/rpcError.ts'
import type { ConstantProductPool } from '#src/core/pools/constantProduct/constantProduct.ts'
import { toAddress } from '#src/core/units/address.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import { toPips } from '#src/core/units/pips.ts'
import { recordLog } from '#test/support/chains/testChain.ts'
import { createFactoryRefusals, undecodedSwapTopic } from './factoryRefusals.ts'

const addressOf = (at: number) => toAddress(`0x${at.toString(16).padStart(40, '0')}`)
const chain = { id: toChainId(1), displayName: 'Test Chain' }
const common = { kind: 'constantProduct', fee: toPips(3000), fromBlock: 0n } as const
const factories = [
  { ...common, source: 'fork-v2', factory: addressOf(8), pairs: [] },
  { ...common, source: 'uniswap-v2', factory: addressOf(9), pairs: [] },
]
const known: ConstantProductPool = {
  kind: 'constantProduct',
  chainId: chain.id,
  address: addressOf(1),
  source: 'fork-v2',
  currency0: addressOf(2),
  currency1: addressOf(3),
  fee: toPips(3000),
  reserve0: 1_000n,
  reserve1: 2_000n,
}
const onChain = { ...known, reserve0: 1_100n }
const topic: Hex = keccak256(toHex('Sync(uint256,uint256)'))

type Range = Readonly<{ fromBlock: bigint; toBlock: bigint }>

/** A node that gives logs of at most `maxRange` blocks, and has one log, in this block. */
function refusalsOf(maxRange: bigint, block: bigint) {
  const asked: Range[] = []
  const client = {
    getLogs: async ({ fromBlock, toBlock }: Range) => {
      asked.push({ fromBlock, toBlock })
      if (toBlock - fromBlock + 1n > maxRange)
        throw new RpcRefusedError(chain, {
          method: 'eth_getLogs',
          code: -32_005,
          reason: 'the range is too large',
        })
      return fromBlock <= block && block <= toBlock ? [{ topics: [topic], data: '0x' }] : []
    },
  } as unknown as ChainClient
  const { log, lines } = recordLog()
  return { asked, lines, ...createFactoryRefusals({ client, log }, { ...chain, factories }) }
}

test('refuses the factory of a pool that swaps with an unknown event, once and with the reason', async () => {
  const { asked, lines, accepts, reasons, inspect } = refusalsOf(100n, 42n)
  expect([accepts(known), reasons()]).toEqual([true, []])
  expect(await inspect({ known, onChain, since: 40n, at: 60n })).toBe(true)
  expect(asked).toEqual([expect.objectContaining({ fromBlock: 41n, toBlock: 60n })])
  expect(accepts(known)).toBe(false)
  expect(accepts({ ...known, source: 'uniswap-v2' })).toBe(true)
  expect(accepts({ kind: 'concentrated', source: 'fork-v2' })).toBe(true)
  const reason = `The pools of fork-v2 (factory ${addressOf(8)}) on Test Chain are not used: ${known.address} swaps with an event that is not decoded, ${topic}`
  expect(reasons()).toEqual([reason])
  expect(lines.map(({ level, msg }) => [level, msg])).toEqual([[50, reason]])
  expect(await inspect({ known, onChain, since: 40n, at: 60n })).toBe(false)
  expect(asked).toHaveLength(1)
})

test('reads the logs in ranges that the node gives, the newest first', async () => {
  const { asked, inspect } = refusalsOf(30n, 5n)
  expect(await inspect({ known, onChain, since: 0n, at: 100n })).toBe(true)
  expect(asked.map(({ fromBlock, toBlock }) => [fromBlock, toBlock])).toEqual([
    [1n, 100n],
    [51n, 100n],
    [76n, 100n],
    [51n, 75n],
    [26n, 50n],
    [1n, 25n],
  ])
})

test('fails where the node gives no logs at all, and refuses nobody', async () => {
  const { accepts, inspect } = refusalsOf(0n, 5n)
  await expect(inspect({ known, onChain, since: 0n, at: 9n })).rejects.toThrow(RpcRefusedError)
  expect(accepts(known)).toBe(true)
})

describe('undecoded swap', () => {
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
})
