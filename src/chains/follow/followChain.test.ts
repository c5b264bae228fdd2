import { toHex } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { changeResult } from '#test/support/nodes/rpcProxy.ts'
import { nextOf, other, type Stage, startStage, swap, sync } from '#test/support/rigs/following.ts'
import { ReorgTooDeepError } from './chainFollower.ts'

let stage: Stage
beforeAll(async () => {
  stage = await startStage()
})
afterEach(() => stage.reset())
afterAll(() => stage.stop())

test('starts with the latest block and gives each block with the requested logs', async () => {
  await stage.chain.emit(swap, other)
  const at = await stage.height()
  const { events } = stage.follow()
  expect(await nextOf(events)).toBe(`+${at} swap`)
  await stage.chain.emit(sync, swap, other, sync)
  await stage.chain.emit(other)
  await stage.chain.emit()
  expect(await nextOf(events)).toBe(`+${at + 1} sync swap sync`)
  expect(await nextOf(events)).toBe(`+${at + 2}`)
  expect(await nextOf(events)).toBe(`+${at + 3}`)
})

test('a block has the fields and logs of the chain', async () => {
  const { number: from, hash: fromHash } = await stage.chain.anvil.getBlock()
  await stage.chain.emit(swap, sync)
  const { events } = stage.follow({ from: { number: from, hash: fromHash } })
  const { value: event } = await events.next()
  const { number, hash, parentHash, timestamp, baseFeePerGas, gasUsed, gasLimit } =
    await stage.chain.anvil.getBlock()
  const logs = await stage.chain.anvil.getLogs({ blockHash: hash })
  expect(event).toEqual({
    type: 'block',
    block: {
      number,
      hash,
      parentHash,
      timestamp,
      baseFeePerGas,
      gas: { used: gasUsed, limit: gasLimit },
      logs: logs.map(({ address, topics, data, ...rest }) => ({
        address,
        topics,
        data,
        blockHash: hash,
        blockNumber: number,
        logIndex: rest.logIndex,
        transactionHash: rest.transactionHash,
        transactionIndex: rest.transactionIndex,
        removed: false,
      })),
    },
  })
})

test('continues from a block of any age that the consumer knows', async () => {
  const { number, hash } = await stage.chain.anvil.getBlock()
  await stage.chain.anvil.mine({ blocks: 150 })
  await stage.chain.emit(swap)
  const { events } = stage.follow({ from: { number, hash } })
  for (let at = Number(number) + 1; at <= Number(number) + 150; at += 1)
    expect(await nextOf(events)).toBe(`+${at}`)
  expect(await nextOf(events)).toBe(`+${Number(number) + 151} swap`)
})

test('a reorg undoes blocks newest first and continues with the new branch', async () => {
  const { events } = stage.follow()
  const at = await stage.height()
  await nextOf(events)
  await stage.chain.emit(swap)
  await stage.chain.emit(sync)
  await stage.chain.emit(swap)
  for (let each = 1; each <= 3; each += 1) await nextOf(events)
  await stage.chain.reorg(2)
  expect(await nextOf(events)).toBe(`-${at + 3} -${at + 2}`)
  expect(await nextOf(events)).toBe(`+${at + 2}`)
  expect(await nextOf(events)).toBe(`+${at + 3}`)
  expect(await stage.height()).toBe(at + 3)
})

test('a shorter chain is a reorg once its blocks differ', async () => {
  const { events } = stage.follow()
  const at = await stage.height()
  await nextOf(events)
  const id = await stage.chain.anvil.snapshot()
  for (let each = 1; each <= 3; each += 1) await stage.chain.emit(swap)
  for (let each = 1; each <= 3; each += 1) await nextOf(events)
  await stage.chain.anvil.revert({ id })
  const next = nextOf(events)
  await stage.chain.emit(sync)
  expect(await next).toBe(`-${at + 3} -${at + 2} -${at + 1}`)
  expect(await nextOf(events)).toBe(`+${at + 1} sync`)
})

test('events stay in order when a reorg happens during reading', async () => {
  const { number, hash } = await stage.chain.anvil.getBlock()
  const at = Number(number)
  for (let each = 1; each <= 5; each += 1) await stage.chain.emit(swap)
  const height = toHex(at + 3)
  const old = await stage.chain.anvil.request({
    method: 'eth_getBlockByNumber',
    params: [height, false],
  })
  await stage.chain.reorg(3)
  stage.first.behave(
    changeResult('eth_getBlockByNumber', (answer, [asked]) => {
      if (asked !== height) return answer
      stage.first.behave('pass')
      return old
    }),
  )
  // No logs are requested: the node has none of an orphaned block.
  const { events } = stage.follow({ from: { number, hash }, topics: [] })
  const seen: string[] = []
  for (let each = 1; each <= 7; each += 1) seen.push(await nextOf(events))
  expect(seen).toEqual([1, 2, 3, -3, 3, 4, 5].map((by) => (by < 0 ? `-${at - by}` : `+${at + by}`)))
})

test('a reorg deeper than the kept blocks throws ReorgTooDeepError', async () => {
  const { events } = stage.follow({ finalityDepth: 2 })
  await nextOf(events)
  for (let each = 1; each <= 4; each += 1) {
    await stage.chain.emit(swap)
    await nextOf(events)
  }
  await stage.chain.reorg(3)
  await expect(nextOf(events)).rejects.toThrow(ReorgTooDeepError)
  expect(await nextOf(events)).toBe('end')
})

test('an orphaned start block throws ReorgTooDeepError', async () => {
  await stage.chain.emit(swap)
  const { number, hash } = await stage.chain.anvil.getBlock()
  await stage.chain.reorg(1)
  await stage.chain.emit(sync)
  const { events } = stage.follow({ from: { number, hash } })
  await expect(nextOf(events)).rejects.toThrow(ReorgTooDeepError)
})
