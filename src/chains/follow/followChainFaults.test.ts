import { toHex } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type Behaviour, changeResult, type RpcCall } from '#test/support/nodes/rpcProxy.ts'
import { patience } from '#test/support/patience.ts'
import { nextOf, other, type Stage, startStage, swap, sync } from '#test/support/rigs/following.ts'

let stage: Stage
beforeAll(async () => {
  stage = await startStage()
})
afterEach(() => stage.reset())
afterAll(() => stage.stop())

/** The first node reports this block as its latest from now on. */
const freeze = (block: unknown): void =>
  stage.first.behave(
    changeResult('eth_getBlockByNumber', (answer, [height]) =>
      height === 'latest' ? block : answer,
    ),
  )

const rawBlock = (number: bigint): Promise<unknown> =>
  stage.chain.anvil.request({
    method: 'eth_getBlockByNumber',
    params: [toHex(number), false],
  })

type RawBlock = Readonly<{ number: string; hash: string }>

const bothUrls = () => ({ rpcUrls: [stage.first.url, stage.second.url] })

test('a lagging node is no reorg, and the next node has the new block', async () => {
  const { events } = stage.follow(bothUrls())
  const at = await stage.height()
  await nextOf(events)
  await stage.chain.emit(swap)
  await nextOf(events)
  freeze(await rawBlock(BigInt(at)))
  await stage.chain.emit(sync)
  expect(await nextOf(events)).toBe(`+${at + 2} sync`)
})

test('a node that has stopped is detected', async () => {
  const { events } = stage.follow(bothUrls())
  const at = await stage.height()
  await nextOf(events)
  freeze(await rawBlock(BigInt(at)))
  await stage.chain.emit(swap)
  expect(await nextOf(events)).toBe(`+${at + 1} swap`)
})

const changeLogs = (change: (logs: readonly object[]) => unknown): Behaviour =>
  changeResult('eth_getLogs', change)

const lies: Readonly<Record<string, Behaviour>> = {
  'no logs': changeLogs(() => []),
  'null for logs': changeLogs(() => null),
  'all but the last log': changeLogs((logs) => logs.slice(0, -1)),
  'a log of another block': changeLogs((logs) => [
    ...logs,
    { ...logs[0], logIndex: '0x9', blockHash: `0x${'ab'.repeat(32)}` },
  ]),
  'a log that was removed': changeLogs((logs) => [
    ...logs,
    { ...logs[0], logIndex: '0x9', removed: true },
  ]),
  'logs twice': changeLogs((logs) => [...logs, ...logs]),
  'half a log': changeLogs((logs) => logs.map((log) => ({ ...log, data: null }))),
}

test.each(Object.keys(lies))('%s: the next node answers', async (name) => {
  const { events } = stage.follow(bothUrls())
  const at = await stage.height()
  await nextOf(events)
  stage.first.behave(lies[name] ?? 'pass')
  await stage.chain.emit(swap, sync)
  expect(await nextOf(events)).toBe(`+${at + 1} swap sync`)
})

test('waits for logs that come late', async () => {
  const { events } = stage.follow()
  const at = await stage.height()
  await nextOf(events)
  let requests = 0
  stage.first.behave(
    changeLogs((logs) => {
      requests += 1
      return requests < 4 ? [] : logs
    }),
  )
  await stage.chain.emit(swap)
  expect(await nextOf(events)).toBe(`+${at + 1} swap`)
  expect(requests).toBe(4)
})

test('with a wrong bloom filter the logs are used as they are in the end', async () => {
  const { events, lines } = stage.follow()
  const at = await stage.height()
  await nextOf(events)
  stage.first.behave(changeLogs(() => []))
  await stage.chain.emit(swap)
  expect(await nextOf(events)).toBe(`+${at + 1}`)
  expect(lines).toContainEqual(
    expect.objectContaining({
      msg: 'The logs of a block do not match its bloom filter; used as they are',
    }),
  )
})

const outages: Readonly<Record<string, Behaviour>> = {
  'refused connections': 'cut',
  silence: 'hang',
  HTML: { body: '<html>Bad gateway</html>', contentType: 'text/html', status: 502 },
  garbage: { body: '{"result":' },
}

test.each(Object.keys(outages))('catches up in order after %s', async (name) => {
  const { events, lines } = stage.follow({ timeoutSeconds: 0.3 })
  const at = await stage.height()
  await nextOf(events)
  stage.first.behave(outages[name] ?? 'pass')
  const next = nextOf(events)
  await stage.chain.emit(swap)
  await stage.chain.emit(sync)
  await stage.chain.reorg(1)
  await stage.chain.emit(other, sync)
  await vi.waitUntil(() => lines.some(({ msg }) => msg.startsWith('Cannot follow')), patience)
  stage.first.behave('pass')
  expect(await next).toBe(`+${at + 1} swap`)
  expect(await nextOf(events)).toBe(`+${at + 2}`)
  expect(await nextOf(events)).toBe(`+${at + 3} sync`)
})

/** Whether a call reads this block of a gap. */
const readers = {
  'its header': ({ params: [height] }: RpcCall, { number }: RawBlock) => height === number,
  'its logs': ({ params: [filter] }: RpcCall, { hash }: RawBlock) =>
    (filter as { blockHash?: unknown }).blockHash === hash,
} as const

test.each(['its header', 'its logs'] as const)(
  'follows a gap up to the block that cannot be read: %s',
  async (part) => {
    const { events } = stage.follow()
    const at = await stage.height()
    await nextOf(events)
    stage.first.behave('cut')
    for (const topic of [swap, sync, swap, sync]) await stage.chain.emit(topic)
    const third = (await rawBlock(BigInt(at + 3))) as RawBlock
    stage.first.behave({
      change: (call, answer) =>
        readers[part](call, third) ? { error: { code: -32_000, message: 'busy' } } : answer,
    })
    expect(await nextOf(events)).toBe(`+${at + 1} swap`)
    expect(await nextOf(events)).toBe(`+${at + 2} sync`)
    stage.first.behave('pass')
    expect(await nextOf(events)).toBe(`+${at + 3} swap`)
    expect(await nextOf(events)).toBe(`+${at + 4} sync`)
  },
)
