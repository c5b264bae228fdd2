import { setTimeout } from 'node:timers/promises'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { patience } from '#test/support/patience.ts'
import { serverUrl } from '#test/support/store/storeHome.ts'
import { type Deposited, destination, origin, startDepositing } from './soak/depositor.ts'
import { faultsOf } from './soak/faults.ts'
import { createRandom } from './soak/random.ts'
import { runFaults } from './soak/runFaults.ts'
import { leftOut, soakSeconds, soakSeed } from './soak/settings.ts'
import { type SoakWorld, startCluster, startEmbedded } from './soak/soakWorld.ts'
import { statusOf } from './soak/subscribers.ts'

// biome-ignore lint/style/noProcessEnv: vitest passes on only the variables that start with VITE_.
const redisUrl = process.env['TEST_REDIS_URL']

const undo: (() => Promise<unknown> | unknown)[] = []
afterAll(async () => {
  for (const each of undo.splice(0).reverse()) await each()
})
const undoLater = (each: () => Promise<unknown> | unknown) => void undo.push(each)

const print = (line: string) => void process.stdout.write(`soak: ${line}\n`)
/** A run that waits long says for what. */
const pollsPerLine = 60
const slow = { ...patience, interval: 500 }
const isTerminal = (status: string | undefined) =>
  ['success', 'refund', 'failure'].includes(status ?? '')

/** Requests that run before the first fault, so that idle memory is that of processes which have worked. */
const warmUp = 12
/** Reads of the memory, one per second, before it counts as leaked. */
const memoryReads = 120
const maxGrowth = 1.2

const memoryOf = async ({ slots }: SoakWorld): Promise<number> =>
  (await Promise.all(slots.map((each) => each.memory()))).reduce((sum, each) => sum + each, 0)

const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`

/** Resolves once the processes hold at most `maxBytes` together, or after the last read. Returns their bytes. */
async function memoryUpTo(world: SoakWorld, maxBytes: number): Promise<number> {
  let held = Number.POSITIVE_INFINITY
  for (let reads = 0; reads < memoryReads && held > maxBytes; reads += 1) {
    await setTimeout(1_000)
    held = await memoryOf(world)
  }
  return held
}

async function waitUntilAllEnd({ url }: SoakWorld, deposited: readonly Deposited[]): Promise<void> {
  let polls = 0
  for (const { requestId } of deposited)
    await vi.waitUntil(async () => {
      const status = await statusOf(url, requestId)
      polls += 1
      if (polls % pollsPerLine === 0) print(`waits for ${requestId}: ${status ?? 'no answer'}`)
      return isTerminal(status)
    }, slow)
}

async function soak(world: SoakWorld): Promise<void> {
  print(`seed ${soakSeed}, ${soakSeconds} s, without ${[...leftOut].join(', ') || 'exceptions'}`)
  const faults = faultsOf(world.breakable).filter(({ kind }) => !leftOut.has(kind))
  let isOver = false
  undoLater(() => {
    isOver = true
  })
  const load = startDepositing(world.url, world.wallet, () => isOver)
  await vi.waitUntil(() => load.deposited.length >= warmUp, slow)
  await waitUntilAllEnd(world, load.deposited.slice(0, warmUp))
  const idle = await memoryOf(world)
  print(`${megabytes(idle)} before the first fault`)

  const counts = await runFaults(faults, createRandom(soakSeed), soakSeconds, print)
  await load.stop()
  print(`${load.deposited.length} deposits, ${load.refused()} quotes failed`)
  for (const [kind, count] of counts) print(`${kind}: ${count} times`)
  expect([...counts].filter(([, count]) => count === 0)).toEqual([])

  await vi.waitUntil(world.areReady, slow)
  print('all processes are ready')
  await waitUntilAllEnd(world, load.deposited)
  print('all requests have ended')
  const heard = await Promise.all(load.deposited.map(({ following }) => following))
  const held = await memoryUpTo(world, maxGrowth * idle)
  print(`${megabytes(held)} afterwards`)
  for (const each of world.slots) await each.stop()
  await checkRequests(world, load.deposited, heard)
  expect(held).toBeLessThanOrEqual(maxGrowth * idle)
}

/** Each deposit was filled or refunded, once; each subscriber saw each change, once and in order. */
async function checkRequests(
  { openStore, wallet }: SoakWorld,
  deposited: readonly Deposited[],
  heard: readonly Awaited<Deposited['following']>[],
): Promise<void> {
  const store = await openStore()
  try {
    for (const [at, { requestId, recipient: address }] of deposited.entries()) {
      const state = (await store.find(requestId))?.state
      const payments = (await store.transactionsOf(requestId)).filter(
        ({ status }) => status === 'final' || status === 'mined',
      )
      const purpose = state?.status === 'success' ? 'fill' : 'refund'
      expect({ requestId, paid: payments.map((each) => each.purpose) }).toEqual({
        requestId,
        paid: [purpose],
      })
      const paid = payments[0]?.spends[0]?.amount
      const [filled, refunded] = await Promise.all(
        [destination, origin].map((id) => wallet.clientOn(id).getBalance({ address })),
      )
      expect([filled, refunded]).toEqual(purpose === 'fill' ? [paid, 0n] : [0n, paid])

      const changes = (await store.changesAfter(requestId, 0)).map((each) => ({
        seq: each.state.seq,
        status: each.state.status,
      }))
      expect(changes.map(({ seq }) => seq)).toEqual(changes.map((_, index) => index + 1))
      for (const each of heard[at] ?? []) expect(each).toEqual(changes)
    }
  } finally {
    await store.close()
  }
}

describe('under random faults nothing is lost and nothing is paid twice', () => {
  it('one process with the embedded database', async () => {
    await soak(await startEmbedded(undoLater))
  })

  it.skipIf(serverUrl === undefined || redisUrl === undefined)(
    'two gateways and two workers on Postgres and Redis (TEST_DATABASE_URL, TEST_REDIS_URL)',
    async () => {
      await soak(await startCluster(undoLater, redisUrl ?? ''))
    },
  )
})
