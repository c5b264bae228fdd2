import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { patience } from '#test/support/patience.ts'
import { nextOf, other, type Stage, startStage, swap, sync } from '#test/support/rigs/following.ts'

let stage: Stage
beforeAll(async () => {
  stage = await startStage()
})
afterEach(() => stage.reset())
afterAll(() => stage.stop())

test('the WebSocket announces a block long before the next poll', async () => {
  const { events } = stage.follow({ wsUrl: stage.first.wsUrl, pollSeconds: 3600 })
  const at = await stage.height()
  await nextOf(events)
  const next = nextOf(events)
  await vi.waitUntil(() => stage.first.sockets.size === 1, patience)
  await stage.chain.emit(swap)
  expect(await next).toBe(`+${at + 1} swap`)
  await stage.chain.emit(sync)
  expect(await nextOf(events)).toBe(`+${at + 2} sync`)
})

test('a dropped WebSocket reconnects, and missed blocks follow', async () => {
  const { events, lines } = stage.follow({
    rpcUrls: [stage.second.url],
    wsUrl: stage.first.wsUrl,
    pollSeconds: 3600,
  })
  const at = await stage.height()
  await nextOf(events)
  const next = nextOf(events)
  await vi.waitUntil(() => stage.first.sockets.size === 1, patience)
  stage.first.behave('cut')
  await vi.waitUntil(() => lines.some(({ msg }) => msg.startsWith('WebSocket ended')), patience)
  await stage.chain.emit(swap)
  await stage.chain.emit(sync)
  stage.first.behave('pass')
  expect(await next).toBe(`+${at + 1} swap`)
  expect(await nextOf(events)).toBe(`+${at + 2} sync`)
  await stage.chain.emit(other)
  expect(await nextOf(events)).toBe(`+${at + 3}`)
})

test('polls the chain while its WebSocket is down', async () => {
  stage.first.behave('cut')
  const { events } = stage.follow({ rpcUrls: [stage.second.url], wsUrl: stage.first.wsUrl })
  const at = await stage.height()
  await nextOf(events)
  await stage.chain.emit(swap)
  expect(await nextOf(events)).toBe(`+${at + 1} swap`)
})

test('ends without an error when aborted between two blocks', async () => {
  const { events } = stage.follow({ pollSeconds: 3600 })
  await nextOf(events)
  const calls = stage.first.calls.length
  const idle = nextOf(events)
  await vi.waitUntil(() => stage.first.calls.length === calls + 1, patience)
  stage.abort()
  expect(await idle).toBe('end')
})

test('closes its WebSocket at the end', async () => {
  const { events } = stage.follow({ wsUrl: stage.first.wsUrl })
  await nextOf(events)
  await vi.waitUntil(() => stage.first.sockets.size === 1, patience)
  stage.abort()
  expect(await nextOf(events)).toBe('end')
  await vi.waitUntil(() => stage.first.sockets.size === 0, patience)
})

test('ends without an error when aborted while a node does not answer', async () => {
  const { events } = stage.follow()
  stage.first.behave('hang')
  const stuck = nextOf(events)
  await vi.waitUntil(() => stage.first.calls.length > 0, patience)
  stage.abort()
  expect(await stuck).toBe('end')
})

test('leaves nothing that keeps a process alive', async () => {
  const script = `
    import { followChain } from '#src/chains/follow/followChain.ts'
    import { createTestClient } from '#test/support/chains/testChain.ts'
    import { pino } from 'pino'
    const log = pino({ level: 'silent' })
    const client = createTestClient({ rpcUrls: ['${stage.first.url}'], wsUrl: '${stage.first.wsUrl}' }, log)
    const stop = new AbortController()
    const args = { topics: [], pollSeconds: 0.02, finalityDepth: 8, signal: stop.signal }
    for await (const event of followChain({ client, log }, args)) {
      // Waits for some polls, which could leave something behind.
      if (event.type === 'block') setTimeout(() => stop.abort(), 100)
    }
    client.close()
    console.log('followed')
  `
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script])
  let printed = ''
  child.stdout.on('data', (chunk) => {
    printed += chunk
  })
  const [code] = await once(child, 'close')
  expect([printed, code]).toEqual(['followed\n', 0])
})
