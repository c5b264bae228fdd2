import fc from 'fast-check'
import { expect, test } from 'vitest'
import { replicaChain, replicaStates } from '#test/support/arbitraries/replicaArbitrary.ts'
import { runs } from '#test/support/runs.ts'
import { changesBetween } from './replicaChanges.ts'
import {
  openMessage,
  type Position,
  type ReplicaMessage,
  type SentReplicaMessage,
  sealMessage,
} from './replicaMessage.ts'
import { createReplicaMirror, type ReplicaMirror } from './replicaMirror.ts'
import { emptyState, type ReplicaState } from './replicaState.ts'
import { divideChanges } from './snapshotParts.ts'

const key = { secret: 's'.repeat(32), stream: 'feed:1', solver: '0x01' }

/** A message as readers get it. */
async function send(message: SentReplicaMessage): Promise<ReplicaMessage> {
  const opened = await openMessage(key, await sealMessage(key, message))
  if (typeof opened === 'string') throw new Error(`Sent a message that is ${opened}`)
  return opened
}

const snapshotOf = (state: ReplicaState, position: Position): Promise<ReplicaMessage[]> => {
  const parts = divideChanges(changesBetween(emptyState, state), 600)
  return Promise.all(
    parts.map((changes, part) =>
      send({ kind: 'part', position, part, parts: parts.length, changes }),
    ),
  )
}

/** All that a replica of these states sends. From `restart` on it is led by another process. */
async function publish(states: readonly ReplicaState[], restart: number) {
  const placeOf = (at: number): Position =>
    at < restart
      ? { term: 7n, count: BigInt(at + 1) }
      : { term: 8n, count: BigInt(at - restart + 1) }
  const messages = await Promise.all(
    states.map((state, at) => {
      const before = states[at - 1]
      const position = placeOf(at)
      if (before === undefined || at === restart) return send({ kind: 'snapshot', position })
      const previous = before.market.block.hash
      const changes = changesBetween(before, state)
      return send({ kind: 'changes', position, previous, changes })
    }),
  )
  const snapshots = await Promise.all(states.map((state, at) => snapshotOf(state, placeOf(at))))
  return { messages, snapshots }
}

/** The next delivery of an attacker or a bad network: the message or the snapshot of any state so far. */
const delivery = fc.record({
  isSnapshot: fc.boolean(),
  at: fc.nat(7),
  /** Leaves out a part of a snapshot, or takes it from another one. */
  damage: fc.constantFrom('none', 'none', 'lost', 'mixed'),
})

/** Index of the mirror's state; -1 before the first. Two messages may have the same block, so its hash is not enough. */
function indexOf(mirror: ReplicaMirror, restart: number): number {
  const position = mirror.position()
  if (position === undefined) return -1
  return Number(position.count) - 1 + (position.term === 8n ? restart : 0)
}

test('a reader has the market of one message, and never an older one, for any loss, repetition or order', async () => {
  await fc.assert(
    fc.asyncProperty(
      replicaStates,
      fc.nat(8),
      fc.array(delivery, { maxLength: 25 }),
      async (states, restart, deliveries) => {
        const { messages, snapshots } = await publish(states, restart)
        const mirror = createReplicaMirror({ isFresh: () => true }, replicaChain)
        let last = -1
        for (const { isSnapshot, at, damage } of deliveries) {
          const place = at % states.length
          const parts = snapshots[place] ?? []
          const other = snapshots[(place + 1) % states.length] ?? []
          const damaged = {
            none: parts,
            lost: parts.slice(0, -1),
            mixed: [...parts.slice(0, -1), ...other.slice(-1)],
          }[damage]
          const message = messages[place]
          const verdict =
            isSnapshot || message === undefined
              ? mirror.takeSnapshot(damaged)
              : mirror.take(message)
          const now = indexOf(mirror, restart)
          if (verdict === 'applied') expect(mirror.state()).toEqual(states[now])
          if (verdict !== 'applied') expect(now).toBe(last)
          expect(now).toBeGreaterThanOrEqual(last)
          if (damage === 'lost' && isSnapshot) expect(verdict).not.toBe('applied')
          last = now
        }
        mirror.takeSnapshot(snapshots.at(-1) ?? [])
        expect(mirror.state()).toEqual(states.at(-1))
        expect(mirror.needsSnapshot()).toBe(mirror.position() === undefined)
      },
    ),
    { numRuns: runs(200, 20) },
  )
})

test('a reader that begins anywhere and misses nothing has each market of the feed', async () => {
  await fc.assert(
    fc.asyncProperty(replicaStates, fc.nat(7), async (states, begin) => {
      const { messages, snapshots } = await publish(states, states.length)
      const first = begin % states.length
      const mirror = createReplicaMirror({ isFresh: () => true }, replicaChain)
      expect(mirror.take(messages[first] as ReplicaMessage)).toBe('gap')
      expect(mirror.takeSnapshot(snapshots[first] ?? [])).toBe('applied')
      expect(mirror.state()).toEqual(states[first])
      for (let at = first + 1; at < states.length; at += 1) {
        expect(mirror.take(messages[at] as ReplicaMessage)).toBe('applied')
        expect(mirror.state()).toEqual(states[at])
      }
    }),
    { numRuns: runs(150, 15) },
  )
})

const sample = fc.sample(replicaStates, { numRuns: 1, seed: 5 })[0] as readonly ReplicaState[]
const [one = emptyState] = sample

test('after a gap the market stays unchanged until a snapshot comes', async () => {
  const mirror = createReplicaMirror({ isFresh: () => true }, replicaChain)
  mirror.takeSnapshot(await snapshotOf(one, { term: 1n, count: 1n }))
  const beat = (count: bigint) =>
    send({ kind: 'beat', position: { term: 1n, count }, announced: count })
  expect(mirror.take(await beat(2n))).toBe('applied')
  expect(mirror.take(await beat(4n))).toBe('gap')
  expect(mirror.take(await beat(3n))).toBe('gap')
  expect(mirror.take(await beat(2n))).toBe('replayed')
  expect(mirror.state()).toEqual({ ...one, announced: 2n })
  expect(mirror.takeSnapshot(await snapshotOf(one, { term: 1n, count: 1n }))).toBe('replayed')
  expect(mirror.needsSnapshot()).toBe(true)
  expect(mirror.takeSnapshot(await snapshotOf(one, { term: 1n, count: 4n }))).toBe('applied')
  expect(mirror.take(await beat(5n))).toBe('applied')
})

test('changes of another block, or of a pool that is not known, change nothing', async () => {
  const before = (at: bigint) => ({ term: 1n, count: at })
  const mirror = createReplicaMirror({ isFresh: () => true }, replicaChain)
  mirror.takeSnapshot(await snapshotOf(one, before(1n)))
  const changes = changesBetween(one, one)
  const foreign = { kind: 'changes', position: before(2n), previous: '0x00', changes } as const
  expect(mirror.take(await send(foreign))).toBe('gap')
  mirror.takeSnapshot(await snapshotOf(one, before(2n)))
  const address = `0x${'ee'.repeat(20)}`
  const pools = [{ kind: 'reserves', address, reserve0: 1n, reserve1: 1n }]
  const previous = one.market.block.hash
  const unknown = { kind: 'changes', position: before(3n), previous } as const
  expect(mirror.take(await send({ ...unknown, changes: { ...changes, pools } }))).toBe('gap')
  expect(mirror.state()).toEqual(one)
})

test('a new term may begin once the market is too old for prices and the snapshot is not', async () => {
  const old = { ...one, market: { ...one.market, block: { ...one.market.block, timestamp: 5n } } }
  let oldest = 0n
  const mirror = createReplicaMirror(
    { isFresh: ({ timestamp }) => timestamp >= oldest },
    replicaChain,
  )
  const fresh = { ...old, market: { ...old.market, block: { ...old.market.block, timestamp: 9n } } }
  mirror.takeSnapshot(await snapshotOf(old, { term: 5n, count: 1n }))
  const restored = await snapshotOf(fresh, { term: 1n, count: 1n })
  expect(mirror.takeSnapshot(restored)).toBe('replayed')
  oldest = 8n
  expect(mirror.takeSnapshot(await snapshotOf(old, { term: 1n, count: 1n }))).toBe('replayed')
  expect(mirror.takeSnapshot(restored)).toBe('applied')
})

test('a message is read with the key, the stream and the solver that it was signed for alone', async () => {
  const message = { kind: 'beat', position: { term: 1n, count: 1n }, announced: 7n } as const
  const sealed = await sealMessage(key, message)
  expect(await openMessage(key, sealed)).toEqual(message)
  const others = [
    { ...key, secret: 't'.repeat(32) },
    { ...key, stream: 'feed:2' },
    { ...key, solver: '0x02' },
  ]
  for (const other of others) expect(await openMessage(other, sealed)).toBe('forged')
  for (let at = 0; at < sealed.length; at += 1) {
    const bent = Buffer.from(sealed)
    bent[at] = (bent[at] ?? 0) ^ 1
    expect(await openMessage(key, bent)).toBe('forged')
    expect(await openMessage(key, sealed.subarray(0, at))).toBe('forged')
  }
  expect(await openMessage(key, undefined)).toBe('forged')
})

test('a message that inflates without end is not read', async () => {
  const words = { kind: 'beat', position: { term: 1n, count: 1n }, announced: 1n } as const
  const bomb = await sealMessage(key, { ...words, padding: ' '.repeat(40_000_000) } as never)
  expect(bomb.length).toBeLessThan(100_000)
  expect(await openMessage(key, bomb)).toBe('unreadable')
})
