import { expect, test, vi } from 'vitest'
import { recordLog } from '#test/support/chains/testChain.ts'
import { patience } from '#test/support/patience.ts'
import { startHeartbeat } from './heartbeat.ts'

test('a beat that fails is logged and the next one comes', async () => {
  const { log, lines } = recordLog()
  let beats = 0
  const heartbeat = startHeartbeat({ log }, 1, async () => {
    beats++
    if (beats === 1) throw new Error('out of breath')
  })
  await vi.waitUntil(() => beats >= 3, patience)
  await heartbeat.stop()
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatchObject({
    msg: 'The devnet failed to mine a block',
    err: { message: 'out of breath' },
  })
})

test('beats never overlap, and none comes after the stop', async () => {
  const { log } = recordLog()
  let clock = 0
  const ticking = startHeartbeat({ log }, 1, async () => {
    clock++
  })
  let beats = 0
  let finish = () => {}
  const heartbeat = startHeartbeat({ log }, 1, () => {
    beats++
    return new Promise((resolve) => {
      finish = resolve
    })
  })
  await vi.waitUntil(() => beats === 1 && clock >= 10, patience)
  heartbeat.hurry()
  const atHurry = clock
  await vi.waitUntil(() => clock >= atHurry + 10, patience)
  expect(beats).toBe(1)
  finish()
  await vi.waitUntil(() => beats === 2, patience)

  let isStopped = false
  const stopped = heartbeat.stop().then(() => {
    isStopped = true
  })
  const atStop = clock
  await vi.waitUntil(() => clock >= atStop + 10, patience)
  expect(isStopped).toBe(false)
  finish()
  await stopped
  await vi.waitUntil(() => clock >= atStop + 20, patience)
  expect(beats).toBe(2)
  await ticking.stop()
})

/** Longer than any test: no beat starts by itself. */
const never = 1_000_000

test('beats come sooner after quicken', async () => {
  let beats = 0
  const heartbeat = startHeartbeat(recordLog(), never, async () => {
    beats += 1
  })
  heartbeat.hurry()
  await vi.waitUntil(() => beats === 3, patience)
  await heartbeat.stop()
})

test('skips beats while suspended and catches up afterwards', async () => {
  let beats = 0
  let isSuspended = false
  const heartbeat = startHeartbeat(recordLog(), never, async () => {
    expect(isSuspended).toBe(false)
    beats += 1
  })
  let clock = 0
  const ticking = startHeartbeat(recordLog(), 1, async () => {
    clock += 1
  })
  heartbeat.hurry()
  const result = await heartbeat.suspend(async () => {
    isSuspended = true
    const before = beats
    heartbeat.hurry()
    await vi.waitUntil(() => clock >= 50, patience)
    expect(beats).toBe(before)
    isSuspended = false
    return 'done'
  })
  expect(result).toBe('done')
  await vi.waitUntil(() => beats >= 2, patience)
  await Promise.all([heartbeat.stop(), ticking.stop()])
})

test('during beatOnlyOnHurry, each call of hurry starts one beat', async () => {
  let beats = 0
  const heartbeat = startHeartbeat(recordLog(), 1, async () => {
    beats += 1
  })
  let clock = 0
  const ticking = startHeartbeat(recordLog(), 1, async () => {
    clock += 1
  })
  await heartbeat.beatOnlyOnHurry(async () => {
    const before = beats
    await vi.waitUntil(() => clock >= 20, patience)
    expect(beats - before).toBeLessThanOrEqual(1)
    const quiet = beats
    heartbeat.hurry()
    await vi.waitUntil(() => beats === quiet + 1, patience)
    const until = clock + 20
    await vi.waitUntil(() => clock >= until, patience)
    expect(beats).toBe(quiet + 1)
  })
  const before = beats
  await vi.waitUntil(() => beats > before, patience)
  await Promise.all([heartbeat.stop(), ticking.stop()])
})
