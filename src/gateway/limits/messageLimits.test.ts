import { expect, it } from 'vitest'
import type { WebSocket } from 'ws'
import { createLog } from '#src/config/log.ts'
import { createMessageLimits } from './messageLimits.ts'
import { createMeters } from './meter.ts'

function createConnection() {
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
  return {
    /** Returns the number of messages that were charged, and why the connection was closed. */
    send: async (messages: number, bytes: number) => {
      await Promise.all(Array.from({ length: messages }, () => limits.count(meter, bytes)))
      return [charged, reasons]
    },
  }
}

it('charges no more pings of a flood once it closes the connection', async () => {
  expect(await createConnection().send(5_000, 0)).toEqual([1_001, ['messages']])
})

it('closes a connection with more than 1 MiB of messages that wait', async () => {
  const { send } = createConnection()
  expect(await send(4, 262_144)).toEqual([4, []])
  expect(await send(5, 262_144)).toEqual([9, ['messages']])
})
