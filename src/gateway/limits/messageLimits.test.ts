import { expect, it } from 'vitest'
import type { WebSocket } from 'ws'
import { createLog } from '#src/config/log.ts'
import { createMessageLimits } from './messageLimits.ts'
import { createMeters } from './meter.ts'

it('charges no more pings of a flood once it closes the connection', async () => {
  const [open, closing] = [1, 2]
  const socket = {
    OPEN: open,
    readyState: open,
    close: () => {
      socket.readyState = closing
    },
    terminate: () => {},
  }
  const reasons: string[] = []
  const limits = createMessageLimits(socket as unknown as WebSocket, {
    log: createLog('silent'),
    countCut: (reason) => reasons.push(reason),
  })
  let charged = 0
  const meter = createMeters(async () => {
    charged += 1
  }, undefined)({ apiKey: undefined, network: '' })
  await Promise.all(Array.from({ length: 5_000 }, () => limits.count(meter, 0)))
  expect([charged, reasons]).toEqual([1_001, ['messages']])
})
