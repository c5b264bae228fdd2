import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { Redis } from 'ioredis'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ChainConfig } from '#src/config/config.ts'
import { toAddress } from '#src/core/units/address.ts'
import { toUsd } from '#src/core/units/usd.ts'
import type { MarketFollower } from '#src/market/marketFollower.ts'
import { replicaChain, replicaStates } from '#test/support/arbitraries/replicaArbitrary.ts'
import { recordLog } from '#test/support/chains/testChain.ts'
import { waitLimitMs } from '#test/support/patience.ts'
import { sealMessage } from './replicaMessage.ts'
import { createReplicaPublisher } from './replicaPublisher.ts'
import { ReplicaReader, replicaKeyOf } from './replicaReader.ts'
import { type ReplicaSource, type ReplicaState, replicaStateOf } from './replicaState.ts'

// biome-ignore lint/style/noProcessEnv: vitest passes on only variables that start with VITE_.
const url = process.env['TEST_REDIS_URL'] ?? ''
const patience = { timeout: waitLimitMs, interval: 5 }
const limits = { beatMs: 50, renewMs: 3_600_000, maxMessageBytes: 1_000_000 }

const solver = { address: toAddress(`0x${'05'.repeat(20)}`), unrecordedLimitUsd: toUsd(0n) }
const nativeCurrency = { symbol: 'ETH', name: 'Ether', decimals: 18 }
const chain = {
  id: replicaChain,
  name: 'one',
  nativeCurrency,
  rpcUrls: [],
} as unknown as ChainConfig

const states = fc
  .sample(replicaStates, { numRuns: 20, seed: 11 })
  .find(({ length }) => length >= 6) as readonly ReplicaState[]
const stateAt = (at: number) => states[at % states.length] as ReplicaState

/** A market that goes from state to state as the test says. */
function createSource() {
  let at: number | undefined
  const listeners = new Set<(chainId: typeof replicaChain) => void>()
  const source: ReplicaSource = {
    latest: () => {
      if (at === undefined) return undefined
      const { market, endpoints } = stateAt(at)
      return { ...market, chain: { depositPolicy: { endpoints } } } as never
    },
    status: () => {
      const { market, trackedPools, refusedFactories, announced } = stateAt(at ?? 0)
      const head = { lagBlocks: announced - market.block.number, pools: trackedPools }
      return [{ chainId: replicaChain, head, refusedFactories }]
    },
    currencies: { ofChain: () => stateAt(at ?? 0).currencies },
    listen: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
  const show = (next: number) => {
    at = next
    for (const listener of listeners) listener(replicaChain)
  }
  return { source, show }
}

const undo: (() => Promise<unknown> | unknown)[] = []
let place: Readonly<{ url: string; secret: string; streamPrefix: string }>
let redis: Redis
let stream: string

beforeEach(() => {
  if (url === '') return
  place = { url, secret: 's'.repeat(32), streamPrefix: `crossquote:test:${randomUUID()}` }
  stream = `${place.streamPrefix}:${replicaChain}`
  redis = new Redis(url)
})
afterEach(async () => {
  for (const each of undo.splice(0).reverse()) await each()
  if (url === '') return
  await redis.del(stream, `${stream}:snapshot`)
  await redis.quit()
})

/** A replica that shows one state after the other. */
function startReplica({
  token = 1n,
  fence = () => ({ token }),
  ...changes
}: Partial<typeof limits> & Readonly<{ token?: bigint; fence?: () => { token: bigint } }> = {}) {
  const { source, show } = createSource()
  const { log, lines } = recordLog()
  const key = replicaKeyOf(place, replicaChain, solver.address)
  const publisher = createReplicaPublisher(
    { log, market: source },
    { url, key, chainId: replicaChain },
    { ...limits, ...changes },
  )
  const ending = new AbortController()
  const running = publisher.run(ending.signal, { fence })
  const ended = running.catch(() => undefined)
  const stop = async () => {
    ending.abort()
    await ended
  }
  undo.push(stop)
  return { show, stop, running, lines, status: publisher.status }
}

function startReader(secret = place.secret) {
  const { log, lines } = recordLog()
  const add = vi.fn()
  const replica: MarketFollower = new ReplicaReader(
    {
      log,
      currencies: { add },
      now: () => performance.now(),
      isFresh: () => true,
      onSnapshot: () => {},
    },
    { place: { ...place, secret }, chain, solver },
  )
  undo.push(() => replica.close())
  const shows = (at: number) =>
    vi.waitFor(() => {
      const { chain: _, ...market } = replica.latest()?.market ?? { chain: undefined }
      expect(market).toEqual(stateAt(at).market)
      expect(replica.announced()).toBe(stateAt(at).announced)
    }, patience)
  const refused = () => Object.fromEntries(replica.reception?.().refused ?? [])
  return { replica, shows, refused, lines, add }
}

describe.skipIf(url === '')('a feed on Redis (TEST_REDIS_URL)', () => {
  it('shows each market to readers that were there before it and that come later', async () => {
    const early = startReader()
    expect(early.replica.waitsFor()).toBe('a snapshot of the feed')
    const { show, status } = startReplica()
    show(0)
    await early.shows(0)
    for (const at of [1, 2]) {
      show(at)
      await early.shows(at)
    }
    const late = startReader()
    await late.replica.ready
    show(3)
    for (const reader of [early, late]) {
      await reader.shows(3)
      expect(reader.refused()).toEqual({})
      expect(reader.replica.waitsFor()).toBeUndefined()
      expect(reader.replica.latest()?.trackedPools).toBe(stateAt(3).trackedPools)
      expect(reader.replica.refusedFactories()).toEqual(stateAt(3).refusedFactories)
      // The reader has no endpoint of its own.
      const { depositPolicy } = reader.replica.latest()?.market.chain ?? {}
      expect(depositPolicy?.endpoints).toBe(stateAt(3).endpoints)
    }
    expect(early.add).toHaveBeenLastCalledWith(stateAt(3).currencies)
    expect(status()).toEqual({ block: stateAt(3).market.block.number, hasMarket: true })
  })

  it('goes on when a snapshot replaces a message that is too long, and when a snapshot is renewed', async () => {
    for (const changes of [{ maxMessageBytes: 0 }, { renewMs: -1 }]) {
      const { show, stop } = startReplica({ ...changes, token: changes.renewMs === -1 ? 2n : 1n })
      const reader = startReader()
      for (const at of [0, 1, 2, 3]) {
        show(at)
        await reader.shows(at)
      }
      await stop()
    }
    // The messages before the last snapshot are gone.
    expect(await redis.xlen(stream)).toBeLessThan(20)
  })

  it('refuses forged, unsigned, moved and foreign messages, counts them, and logs each reason once', async () => {
    // No beat: it would make room among the messages that come here, of which the reader then reads some again.
    const { show } = startReplica({ beatMs: 3_600_000 })
    const reader = startReader()
    show(0)
    await reader.shows(0)
    const [entry] = await redis.xrevrangeBuffer(stream, '+', '-', 'COUNT', 1)
    const real = entry?.[1][1] as Buffer
    const [part] = await redis.lrangeBuffer(`${stream}:snapshot`, 0, 0)
    const beat = { kind: 'beat', position: { term: 9n << 40n, count: 1n }, announced: 1n } as const
    const ofOthers = { ...place, streamPrefix: 'other' }
    const foreign = await sealMessage(replicaKeyOf(ofOthers, replicaChain, solver.address), beat)
    const forged = [Buffer.from('{}'), Buffer.alloc(64), foreign, Buffer.from('')]
    for (const each of forged) await redis.xadd(stream, '*', 'm', each)
    await redis.xadd(stream, '*', 'm', real)
    await redis.xadd(stream, '*', 'm', part as Buffer)
    const total = () => Object.values(reader.refused()).reduce((sum, each) => sum + each, 0)
    await vi.waitUntil(() => total() === 6, patience)
    expect(reader.refused()).toEqual({ forged: 4, misplaced: 2 })
    expect(reader.replica.latest()?.market.block).toEqual(stateAt(0).market.block)
    const warnings = reader.lines.filter(({ msg }) => msg.startsWith('Refused'))
    expect(warnings.map(({ msg }) => msg)).toMatchInlineSnapshot(`
      [
        "Refused a message of the replica: its HMAC is wrong or missing. FEED_SECRET or the solver of the configuration differs between processes, or somebody else writes to Redis. Further ones are counted only",
        "Refused a message of the replica: its position in the stream is wrong. Further ones are counted only",
      ]
    `)
    // The ids of the forged messages are above those of the replica, which makes room for itself.
    show(1)
    await reader.shows(1)
    expect(reader.refused()).toEqual({ forged: 4, misplaced: 2 })
  })

  it('has no market if its secret differs', async () => {
    const { show } = startReplica()
    const reader = startReader('t'.repeat(32))
    show(0)
    await vi.waitUntil(() => (reader.refused()['forged'] ?? 0) > 1, patience)
    expect(reader.replica.latest()).toBeUndefined()
    expect(reader.lines.filter(({ msg }) => msg.startsWith('Refused'))).toHaveLength(1)
  })

  it('starts over after a message was removed, and after Redis has lost everything', async () => {
    const { show } = startReplica()
    const reader = startReader()
    show(0)
    await reader.shows(0)
    await redis.del(stream, `${stream}:snapshot`)
    show(1)
    await reader.shows(1)
    const killed = await redis.client('LIST')
    const own = String(killed)
      .split('\n')
      .filter((line) => line.includes(`name=crossquote-replica-${replicaChain} `))
    expect(own.length).toBeGreaterThan(0)
    for (const line of own) await redis.client('KILL', 'ID', /id=(\d+)/.exec(line)?.[1] ?? '')
    await redis.del(stream, `${stream}:snapshot`)
    show(2)
    await reader.shows(2)
    // Readers that come later find a snapshot again, long before the next one is due.
    await vi.waitUntil(() => redis.exists(`${stream}:snapshot`), patience)
    await startReader().shows(2)
  })

  it('is led by one process at a time: a process whose lease is over publishes nothing', async () => {
    let isOver = false
    const fence = () => {
      if (isOver) throw new Error('Lost the lease')
      return { token: 1n }
    }
    const leader = startReplica({ fence })
    const reader = startReader()
    leader.show(0)
    await reader.shows(0)
    isOver = true
    const successor = startReplica({ token: 2n })
    successor.show(1)
    await reader.shows(1)
    leader.show(2)
    await expect(leader.running).rejects.toThrow('Lost the lease')
    successor.show(3)
    await reader.shows(3)
    expect(reader.refused()).toEqual({})
    expect(replicaStateOf(createSource().source, replicaChain)).toBeUndefined()
  })
})
