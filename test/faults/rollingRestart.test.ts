import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from 'graphql-ws'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { createLog } from '#src/config/log.ts'
import { startDevnet } from '#src/devnet/startDevnet.ts'
import { testPace } from '#test/support/chains/pace.ts'
import { startBalancer } from '#test/support/gateways/balancer.ts'
import { startLoad } from '#test/support/gateways/steadyLoad.ts'
import { patience } from '#test/support/patience.ts'
import {
  type CrossquoteProcess,
  spawnCrossquote,
} from '#test/support/processes/crossquoteProcess.ts'
import { devnetKeys } from '#test/support/processes/devnetKeys.ts'
import { times } from '#test/support/runs.ts'
import { makeStoreDirectory } from '#test/support/store/storeDirectory.ts'
import { createPostgresHome, serverUrl } from '#test/support/store/storeHome.ts'

const undo: (() => Promise<unknown> | unknown)[] = []
let configPath: string
beforeAll(async () => {
  const directory = mkdtempSync(join(tmpdir(), 'crossquote-'))
  undo.push(() => rmSync(directory, { recursive: true, force: true }))
  const log = createLog('silent')
  const devnet = await startDevnet({ log, directory, firstPort: 0, ...testPace })
  undo.push(devnet.stop)
  configPath = join(directory, 'config.json')
  // The load stores more quotes than one address usually may.
  writeFileSync(configPath, JSON.stringify({ ...devnet.config, maxOpenQuotes: 1_000_000 }))
})
afterAll(async () => {
  for (const each of undo.splice(0).reverse()) await each()
})

/** Longer than the balancer needs to stop using a gateway, also on a busy machine. */
const drainSeconds = '5'

const clients = times(8, 3)

function start(env: Readonly<Record<string, string>>): CrossquoteProcess {
  const started = spawnCrossquote({ CONFIG: configPath, DRAIN_SECONDS: drainSeconds, ...env })
  undo.push(started.kill)
  return started
}

async function balance(urls: () => readonly string[]) {
  const balancer = await startBalancer(urls)
  undo.push(balancer.stop)
  return balancer
}

describe('a gateway that gets SIGTERM under load', () => {
  it('reports that it is not ready, still answers, closes connections, then ends, and loses no request', async () => {
    const directory = await makeStoreDirectory()
    undo.push(() => rmSync(directory, { recursive: true, force: true }))
    const gateway = start({ DATA_DIRECTORY: directory, ...devnetKeys })
    const url = await gateway.url()
    const balancer = await balance(() => [url])
    await vi.waitUntil(() => balancer.ready().length === 1, patience)
    const isReady = () => balancer.ready().length === 1
    let isDraining = false
    const mayAsk = () => !isDraining || isReady()
    const load = startLoad(balancer.url, { clients, mayAsk })
    await vi.waitUntil(() => load.answered() >= 40, patience)

    isDraining = true
    gateway.terminate()
    await vi.waitUntil(() => !isReady(), patience)
    const draining = await fetch(`${url}/ready`)
    expect([draining.status, await draining.json()]).toEqual([503, { status: 'draining' }])
    expect(draining.headers.get('connection')).toBe('close')
    const chains = await fetch(`${url}/chains`)
    expect([chains.status, chains.headers.get('connection')]).toEqual([200, 'close'])

    await load.ended
    expect(load.failures).toEqual([])
    expect(await gateway.ended).toBe(0)
  })
})

describe.skipIf(serverUrl === undefined)('two gateways behind a balancer', () => {
  it('are restarted one after the other under load: no request is lost, and sockets reconnect', async () => {
    const home = await createPostgresHome()
    undo.push(home.remove)
    const gateway = () => start({ ROLES: 'gateway', DATABASE_URL: home.where.databaseUrl ?? '' })
    const running = [gateway(), gateway()]
    const urls = await Promise.all(running.map((each) => each.url()))
    const balancer = await balance(() => urls)
    await vi.waitUntil(() => balancer.ready().length === 2, patience)
    const load = startLoad(balancer.url, { clients })
    const socket = await followHeads(balancer.url)

    for (const [at, old] of running.entries()) {
      const before = load.answered()
      await vi.waitUntil(() => load.answered() > before + 20, patience)
      old.terminate()
      expect(await old.ended).toBe(0)
      const next = gateway()
      urls[at] = await next.url()
      await vi.waitUntil(() => balancer.ready().length === 2, patience)
    }
    const before = load.answered()
    await vi.waitUntil(() => load.answered() > before + 20, patience)
    await load.stop()
    expect(load.failures).toEqual([])

    // It was on one of the stopped gateways, perhaps on both, one after the other.
    const heads = socket.heads()
    await vi.waitUntil(() => socket.heads() > heads, patience)
    expect(new Set(socket.closeCodes)).toEqual(new Set([1012]))
    await socket.end()
  })
})

/** A subscriber over WebSocket that connects again as graphql-ws does. */
async function followHeads(url: string) {
  let heads = 0
  const closeCodes: number[] = []
  const client = createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: Number.POSITIVE_INFINITY,
    shouldRetry: () => true,
    retryWait: () => new Promise((resolve) => setImmediate(resolve)),
    on: { closed: (event) => closeCodes.push((event as { code: number }).code) },
  })
  const next = () => {
    heads += 1
  }
  const query = 'subscription { chainHead(chainId: 990001) { number } }'
  client.subscribe({ query }, { next, error: () => undefined, complete: () => undefined })
  await vi.waitUntil(() => heads > 0, patience)
  return { heads: () => heads, closeCodes: closeCodes as readonly number[], end: client.dispose }
}
