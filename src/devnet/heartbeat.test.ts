import { expect, test, vi } from 'vitest'
import { recordLog } from '#test/support/chains/testChain.ts'
import { startHeartbeat } from './heartbeat.ts'

test('a beat that fails is logged and the next one comes', async () => {
  const { log, lines } = recordLog()
  let beats = 0
  const heartbeat = startHeartbeat({ log }, 1, async () => {
    beats++
    if (beats === 1) throw new Error('out of breath')
  })
  await vi.waitUntil(() => beats >= 3)
  await heartbeat.stop()
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatchObject({
    msg: 'the devnet missed a beat',
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
  await vi.waitUntil(() => beats === 1 && clock >= 10)
  finish()
  await vi.waitUntil(() => beats === 2)

  let isStopped = false
  const stopped = heartbeat.stop().then(() => {
    isStopped = true
  })
  const atStop = clock
  await vi.waitUntil(() => clock >= atStop + 10)
  expect(isStopped).toBe(false)
  finish()
  await stopped
  await vi.waitUntil(() => clock >= atStop + 20)
  expect(beats).toBe(2)
  await ticking.stop()
})
