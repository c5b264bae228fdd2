import { once } from 'node:events'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { crossChainInput } from '#test/support/canned/cannedOperations.ts'
import { type LiveGateway, serveLiveGateway } from '#test/support/gateways/liveGateway.ts'
import { patience } from '#test/support/patience.ts'
import { idOf } from '#test/support/store/storeModel.ts'

let gateway: LiveGateway
beforeEach(async () => {
  const hanging = { price: () => new Promise<never>(() => {}) }
  gateway = await serveLiveGateway({ most: 200, deadlineSeconds: 0.2 }, hanging)
  gateway.model.put(idOf(1))
})
afterEach(() => gateway.close())

type Message = { id?: string; type: string; payload?: object }

async function openSocket() {
  const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/graphql`, [
    'graphql-transport-ws',
  ])
  const messages: Message[] = []
  socket.on('message', (bytes) => messages.push(JSON.parse(bytes.toString())))
  await once(socket, 'open')
  const send = (message: Message) => socket.send(JSON.stringify(message))
  send({ type: 'connection_init' })
  await vi.waitUntil(() => messages.shift()?.type === 'connection_ack', patience)
  const complete = (id: string) => send({ id, type: 'complete' })
  /** Waits for the condition, or for the end of the connection, after which nothing comes. */
  const until = (condition: () => boolean) =>
    vi.waitUntil(() => socket.readyState !== socket.OPEN || condition(), patience)
  return { socket, messages, send, complete, until }
}

const watching = (id: string): Message => ({
  id,
  type: 'subscribe',
  payload: { query: `subscription { requestStatus(requestId: "${idOf(1)}") { seq } }` },
})
const pricing = (id: string): Message => ({
  id,
  type: 'subscribe',
  payload: {
    query: 'query ($i: PriceInput!) { price(input: $i) { details { rate } } }',
    variables: { i: crossChainInput },
  },
})
const next = (id: string, seq: number) => ({
  id,
  type: 'next',
  payload: { data: { requestStatus: { seq } } },
})

it('an id can be used again as soon as its operation is completed', async () => {
  const { socket, messages, send, complete, until } = await openSocket()
  send(watching('other'))
  send(watching('again'))
  await until(() => messages.length === 2)
  for (let round = 0; round < 20; round += 1) {
    complete('again')
    send(watching('again'))
  }
  const isEnded = () => messages.some(({ type }) => type === 'complete')
  await until(() => isEnded() || (messages.length >= 3 && gateway.hub.subscribers() === 2))
  expect(isEnded()).toBe(false)
  messages.splice(0)
  gateway.change(idOf(1), 'pending')
  await until(() => isEnded() || messages.length >= 2)
  const byId = messages.toSorted((one, other) => (one.id ?? '').localeCompare(other.id ?? ''))
  expect(byId).toEqual([next('again', 1), next('other', 1)])
  socket.terminate()
  await vi.waitUntil(() => gateway.hub.subscribers() === 0, patience)
})

it('the next operation with an id gets no late answer of the completed query with that id', async () => {
  const { socket, messages, send, complete, until } = await openSocket()
  send(pricing('a'))
  complete('a')
  send(watching('a'))
  send(pricing('later'))
  await until(() => messages.some(({ id }) => id === 'later'))
  expect(messages.filter(({ id }) => id === 'a')).toEqual([next('a', 0)])
  expect(gateway.hub.subscribers()).toBe(1)
  socket.close()
})

it('a completed operation frees its place for the next one', async () => {
  const { socket, messages, send, complete, until } = await openSocket()
  for (let at = 0; at < 100; at += 1) send(watching(`${at}`))
  await until(() => messages.length === 100)
  complete('0')
  send(watching('next'))
  await until(() => messages.length === 101)
  expect(messages.at(-1)).toEqual(next('next', 0))
  expect(gateway.hub.subscribers()).toBe(100)
  socket.close()
})

it.each(['a', '7:a', 'é'.repeat(300)])('an id that is in use is refused (%s)', async (id) => {
  const { socket, messages, send, until } = await openSocket()
  send(watching(id))
  await until(() => messages.length === 1)
  expect(messages).toEqual([next(id, 0)])
  send(watching(id))
  expect((await once(socket, 'close'))[0]).toBe(4409)
})

it('an id is free once its operation has ended by itself', async () => {
  const { socket, messages, send, until } = await openSocket()
  const chains = { id: 'q', type: 'subscribe', payload: { query: '{ chains { chainId } }' } }
  for (let round = 1; round <= 3; round += 1) {
    send(chains)
    await until(() => messages.length === 2 * round)
    expect(messages.at(-1)).toEqual({ id: 'q', type: 'complete' })
  }
  socket.close()
})

it.each([{ type: 'complete' }, { id: '', type: 'subscribe', payload: { query: '{ a }' } }])(
  'a message without an id ends the connection (%j)',
  async (message) => {
    const { socket, send } = await openSocket()
    send(message)
    expect((await once(socket, 'close'))[0]).toBe(4400)
  },
)
