import { createHmac } from 'node:crypto'
import { expect, it, vi } from 'vitest'
import { bodyOf } from '#test/support/clients/webhookClient.ts'
import { stateAt } from '#test/support/fixtures/requestAnswer.ts'
import { key, useWebhooks } from '#test/support/gateways/useWebhooks.ts'
import { patience } from '#test/support/patience.ts'

const webhooks = useWebhooks()
const { create, now, openAnother, pass, put, record, run, serve, wake } = webhooks

it('sends a client the status of its requests, signed with its key', async () => {
  const client = await serve(204)
  run([client])
  await put(undefined, [stateAt(2)])
  const requestId = await put(client.name, [stateAt(2)])
  await client.arrived(1)
  const [call] = client.calls
  if (call === undefined) throw new Error('It arrived')
  const { body, headers } = call
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'x-signature-timestamp': `${now()}`,
    'x-signature-sha256': createHmac('sha256', key).update(`${now()}.${body}`).digest('hex'),
  })
  expect(body).toBe(
    JSON.stringify({
      event: 'request.status.updated',
      timestamp: now(),
      data: {
        status: 'pending',
        inTxHashes: stateAt(2).inTxHashes,
        txHashes: [],
        updatedAt: stateAt(2).updatedAt,
        originChainId: 990001,
        destinationChainId: 990002,
        requestId,
        referrer: 'a frontend',
        details: null,
        failReason: 'N/A',
        refundFailReason: 'N/A',
      },
    }),
  )
})

it('sends each change in order, without mere progress of a step', async () => {
  const client = await serve()
  const recorded = record()
  run([client], recorded.store)
  await put(client.name, [0, 1, 1, 2, 3, 3, 4].map(stateAt))
  for (const at of [0, 1, 2, 3]) {
    await client.arrived(at + 1)
    wake()
    client.answer(at, 200)
  }
  await recorded.settled(7)
  expect(client.calls.map((call) => bodyOf(call).data['status'])).toEqual([
    'waiting',
    'pending',
    'submitted',
    'success',
  ])
})

it('does not delay other clients for one that does not answer', async () => {
  const [slow, shop] = [await serve(), await serve(200)]
  for (let at = 0; at < 40; at += 1) await put(slow.name, [stateAt(2)])
  const recorded = record()
  run([slow, shop], recorded.store)
  await slow.arrived(16)
  for (let at = 0; at < 40; at += 1) await put(shop.name, [stateAt(2)])
  await shop.arrived(40)
  await recorded.settled(40)
  expect(slow.calls.length).toBe(16)
  slow.status = 200
  for (let at = 0; at < 16; at += 1) slow.answer(at, 200)
  await slow.arrived(40)
  await recorded.settled(80)
})

it('makes each call once with several processes', async () => {
  const client = await serve(200)
  const one = record()
  const other = record(await openAnother())
  for (const { store: into } of [one, other, one]) run([client], into)
  const states = [stateAt(2), stateAt(3)]
  const ids = await Promise.all(Array.from({ length: 50 }, () => put(client.name, states)))
  wake()
  await vi.waitFor(() => expect(one.outcomes.length + other.outcomes.length).toBe(100), patience)
  const received = client.calls.map((call) => `${bodyOf(call).data['requestId']}`)
  expect(received.sort()).toEqual([...ids, ...ids].sort())
})

it('stops at once on the signal and leaves its calls to the next process', async () => {
  const client = await serve()
  const recorded = record()
  const stop = run([client], recorded.store)
  await put(client.name, [stateAt(2)])
  await client.arrived(1)
  await stop()
  expect(recorded.outcomes).toEqual([])
  pass(30_000)
  client.status = 200
  run([client], recorded.store)
  await recorded.settled(1)
})

it('runs until the signal without any webhook', async () => {
  const ending = new AbortController()
  let ended = false
  const done = create([{ name: 'without a webhook' }], webhooks.store(), now)
    .run(ending.signal)
    .then(() => {
      ended = true
    })
  await new Promise(setImmediate)
  expect(ended).toBe(false)
  ending.abort()
  await done
})
