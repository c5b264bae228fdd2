import { toHex } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { changeResult, type RpcAnswer } from '#test/support/nodes/rpcProxy.ts'
import { finalHeights, nextOf, type Stage, startStage, swap } from '#test/support/rigs/following.ts'
import { ReorgTooDeepError } from './chainFollower.ts'

let stage: Stage
beforeAll(async () => {
  stage = await startStage()
  await stage.chain.anvil.mine({ blocks: 70 })
})
afterEach(() => stage.reset())
afterAll(() => stage.stop())

const rawBlock = (block: bigint | 'latest') =>
  stage.chain.anvil.request({
    method: 'eth_getBlockByNumber',
    params: [block === 'latest' ? block : toHex(block), false],
  })

/** The first node answers the tag with this from now on. */
const tag = (toAnswer: () => RpcAnswer | Promise<RpcAnswer>): void =>
  stage.first.behave({
    change: ({ params }, answer) => (params[0] === 'finalized' ? toAnswer() : answer),
  })

test('finality comes from the chain’s own tag and only advances', async () => {
  const { events } = stage.follow({ finalityDepth: 8 })
  // In anvil a block is final 64 blocks later.
  const final = BigInt(await stage.height()) - 64n
  const heights = finalHeights(events, final + 2n)
  await stage.chain.emit(swap)
  await stage.chain.emit(swap)
  const rising = (await heights).every((each, at, all) => at === 0 || each > (all[at - 1] ?? 0n))
  expect(rising).toBe(true)
})

test.each<[string, RpcAnswer]>([
  ['refuses', { error: { code: -32602, message: 'unknown tag' } }],
  ['does not know', { result: null }],
])('depth decides where a node %s the tag', async (_, noTag) => {
  tag(() => noTag)
  const { events } = stage.follow({ finalityDepth: 3 })
  const at = await stage.height()
  await nextOf(events)
  const heights = finalHeights(events, BigInt(at) + 1n)
  for (let each = 1; each <= 4; each += 1) await stage.chain.emit(swap)
  expect((await heights)[0]).toBeGreaterThanOrEqual(at)
})

test('depth never decides once the chain has answered the tag', async () => {
  const { events } = stage.follow({ finalityDepth: 2 })
  const final = BigInt(await stage.height()) - 64n
  expect(await finalHeights(events, final)).toEqual([final])
  tag(() => ({ result: null }))
  for (let each = 1; each <= 4; each += 1) {
    await stage.chain.emit(swap)
    await nextOf(events)
  }
  stage.first.behave('pass')
  await stage.chain.emit(swap)
  expect(await finalHeights(events, final + 5n)).toEqual([final + 5n])
})

test('ignores a final block that is not on the followed branch', async () => {
  const at = BigInt(await stage.height())
  const { events } = stage.follow()
  tag(async () => ({ result: { ...(await rawBlock(at)), hash: `0x${'ab'.repeat(32)}` } }))
  await nextOf(events)
  await stage.chain.emit(swap)
  expect((await events.next()).value).toMatchObject({ type: 'block' })
  tag(async () => ({ result: await rawBlock(at + 1n) }))
  await stage.chain.emit(swap)
  expect(await finalHeights(events, at + 1n)).toEqual([at + 1n])
})

test('the head is final if the tag is ahead of it', async () => {
  const at = BigInt(await stage.height())
  const head = await rawBlock(at)
  await stage.chain.emit(swap)
  stage.first.behave(
    changeResult('eth_getBlockByNumber', (answer, [block]) => {
      if (block === 'finalized') return rawBlock(at + 1n)
      return block === 'latest' ? head : answer
    }),
  )
  const { events } = stage.follow()
  await nextOf(events)
  expect((await events.next()).value).toMatchObject({ type: 'finalized', block: { number: at } })
})

test('a reorg of a final block throws ReorgTooDeepError', async () => {
  tag(async () => ({ result: await rawBlock('latest') }))
  const { events } = stage.follow()
  await nextOf(events)
  await stage.chain.emit(swap)
  const at = await stage.height()
  expect(await finalHeights(events, BigInt(at))).toContain(BigInt(at))
  await stage.chain.reorg(1)
  await expect(nextOf(events)).rejects.toThrow(ReorgTooDeepError)
})

test('reads finality while no new block comes, during a pause of any length', async () => {
  const { events } = stage.follow({ finalityDepth: 8, finalityPause: () => 1_000n })
  const at = BigInt(await stage.height())
  await nextOf(events)
  // In anvil a block is final 64 blocks later.
  const heights = finalHeights(events, at + 9n - 64n)
  for (let each = 1; each <= 9; each += 1) await stage.chain.emit(swap)
  expect((await heights).at(-1)).toBe(at + 9n - 64n)
})
