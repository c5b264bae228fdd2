import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { createCallBudget } from './callBudget.ts'

const client = {
  call: async () => ({ data: '0x' }),
  readContract: async () => [],
  getLogs: async () => [],
  ask: async () => undefined,
} as unknown as ChainClient

test('work that waits for its budget makes no more calls than the rate allows, but for its last step', () => {
  const steps = fc.array(fc.record({ calls: fc.integer({ min: 1, max: 9 }), idle: fc.nat(5_000) }))
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), steps, (perSecond, work) => {
      let ms = 0
      const { charge, waitMs } = createCallBudget({ now: () => ms }, perSecond)
      const charged = charge(client)
      let calls = 0
      let began: number | undefined
      for (const { calls: more, idle } of work) {
        ms += idle + waitMs()
        began ??= ms
        expect(calls).toBeLessThanOrEqual(((ms - began) / 1000) * perSecond + 1e-6)
        for (let call = 0; call < more; call++) void charged.call({ data: '0x' })
        calls += more
      }
    }),
  )
})

test('charges requests, calls, reads of contracts and of logs, and nothing once they are forgiven', () => {
  const { charge, waitMs, reset } = createCallBudget({ now: () => 0 }, 2)
  const charged = charge(client)
  void charged.call({ data: '0x' })
  void charged.readContract({} as never)
  void charged.getLogs()
  void charged.ask({ method: 'eth_call', params: [] }, () => undefined)
  expect(waitMs()).toBe(2_000)
  reset()
  expect(waitMs()).toBe(0)
})
