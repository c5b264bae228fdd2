import { on, once } from 'node:events'
import { address } from '@solana/kit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { memo } from '#src/protocol/svm/memo.ts'
import { programIds } from '#src/protocol/svm/programIds.ts'
import { transferLamports } from '#src/protocol/svm/systemProgram.ts'
import {
  addressOf,
  initialLamports,
  startTestNode,
  type TestNode,
} from '#test/support/svm/testNode.ts'

let running: TestNode
beforeEach(async () => {
  running = await startTestNode({ finalizedAfter: 2 })
})
afterEach(() => running.stop())

const payment = (lamports: bigint) =>
  transferLamports({ from: running.user.pubkey, to: running.other.pubkey, lamports })

/** The first notifications, which come while `act` runs or after it. */
async function take<Value>(
  subscribed: Readonly<{
    subscribe: (options: { abortSignal: AbortSignal }) => Promise<AsyncIterable<Value>>
  }>,
  count: number,
  act: () => unknown,
): Promise<Value[]> {
  const ending = new AbortController()
  const notifications = await subscribed.subscribe({ abortSignal: ending.signal })
  await act()
  const taken: Value[] = []
  for await (const each of notifications) if (taken.push(each) === count) break
  ending.abort()
  return taken
}

test('tells of slots', async () => {
  const { subscriptions, node } = running
  const told = await take(subscriptions.slotNotifications(), 3, () => node.warp({ slots: 3 }))
  expect(told).toEqual([
    { parent: 0n, root: 0n, slot: 1n },
    { parent: 1n, root: 0n, slot: 2n },
    { parent: 2n, root: 1n, slot: 3n },
  ])
})

test('tells when a transaction has reached a commitment, before and after the subscription', async () => {
  const { subscriptions, user, node } = running
  const signature = await running.land([user], [payment(1n)])
  const confirmed = { commitment: 'confirmed' } as const
  const later = await take(subscriptions.signatureNotifications(signature, confirmed), 1, () =>
    node.warp({ slots: 1 }),
  )
  expect(later).toEqual([{ context: { apiVersion: '3.0.0', slot: 1n }, value: { err: null } }])
  const socket = await openSocket()
  socket.send('signatureSubscribe', signature, confirmed)
  expect([await socket.next(), await socket.next()]).toEqual([
    { jsonrpc: '2.0', id: 1, result: 1 },
    {
      jsonrpc: '2.0',
      method: 'signatureNotification',
      params: {
        result: { context: { apiVersion: '3.0.0', slot: 1 }, value: { err: null } },
        subscription: 1,
      },
    },
  ])
  socket.close()
})

test('tells when an account changes', async () => {
  const { subscriptions, user, other, node } = running
  const options = { commitment: 'finalized', encoding: 'base64' } as const
  const told = await take(
    subscriptions.accountNotifications(addressOf(other), options),
    2,
    async () => {
      await running.land([user], [payment(1n)])
      await running.land([user], [memo('of another account')])
      await running.land([user], [payment(2n)])
      node.warp({ slots: 2 })
    },
  )
  expect(told).toMatchObject([
    { context: { slot: 1n }, value: { lamports: initialLamports + 1n, data: ['', 'base64'] } },
    { context: { slot: 3n }, value: { lamports: initialLamports + 3n } },
  ])
})

test('tells the logs of transactions that mention an account', async () => {
  const { subscriptions, user, other } = running
  const options = { commitment: 'processed' } as const
  const mentioned = { mentions: [address(programIds.memo)] as [ReturnType<typeof address>] }
  const signatures: string[] = []
  const told = await take(subscriptions.logsNotifications(mentioned, options), 1, async () => {
    signatures.push(await running.land([user], [payment(1n)]))
    signatures.push(await running.land([other], [memo('hi')]))
  })
  expect(told).toMatchObject([{ value: { err: null, signature: signatures[1] } }])
  expect(told[0]?.value.logs?.[0]).toBe(`Program ${programIds.memo} invoke [1]`)
})

test('a fork is not told twice, and its blocks are', async () => {
  const { subscriptions, node } = running
  const told = await take(subscriptions.slotNotifications(), 3, () => {
    node.warp({ slots: 2 })
    node.fork(1)
    node.warp({ slots: 1 })
  })
  expect(told.map(({ slot, parent }) => [parent, slot])).toEqual([
    [0n, 1n],
    [1n, 2n],
    [1n, 3n],
  ])
})

test('ends subscriptions, and knows no others', async () => {
  const socket = await openSocket()
  const call = (method: string, ...params: unknown[]) => {
    socket.send(method, ...params)
    return socket.next()
  }
  expect(await call('slotSubscribe')).toEqual({ jsonrpc: '2.0', id: 1, result: 1 })
  expect(await call('logsUnsubscribe', 1)).toMatchObject({
    error: { code: -32_602, message: 'Invalid subscription id.' },
  })
  expect(await call('slotUnsubscribe', 1)).toMatchObject({ result: true })
  expect(await call('logsSubscribe', { mentions: [] })).toMatchObject({ error: { code: -32_602 } })
  expect(await call('blockSubscribe', 'all')).toMatchObject({ error: { code: -32_601 } })
  socket.close()
})

/** The client of kit drops notifications that come at once. */
async function openSocket() {
  const socket = new WebSocket(running.node.wsUrl)
  const messages = on(socket, 'message')
  await once(socket, 'open')
  return {
    send: (method: string, ...params: unknown[]) =>
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })),
    next: async (): Promise<unknown> => JSON.parse(String((await messages.next()).value?.[0])),
    close: () => socket.terminate(),
  }
}
