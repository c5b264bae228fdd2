import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { headerHash } from '#src/chains/rpc/headSocket.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import { createTestClient, recordLog } from '#test/support/chains/testChain.ts'
import { manyPools } from '#test/support/simulatedNode/manyPools.ts'
import { createSimulatedChain } from '#test/support/simulatedNode/simulatedChain.ts'
import type { SimulatedPool } from '#test/support/simulatedNode/simulatedState.ts'
import { startSimulatedNode } from '#test/support/simulatedNode/startSimulatedNode.ts'
import { followChain } from './followChain.ts'

const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const each of undo.splice(0).reverse()) await each()
})

const id = toChainId(990_109)
const syncTopic = '0x1c411e9a96e071241c2f21f7726b17ae89e3cab4c78be50e062b03a9fffbbad1'

/** A WebSocket that announces any headers that the test gives it, valid or not. */
async function startAnnouncer() {
  const sockets = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(sockets, 'listening')
  const subscribed = Promise.withResolvers<WebSocket>()
  sockets.on('connection', (socket) => {
    socket.on('message', (data) => {
      const call = JSON.parse(String(data)) as { id: number; method: string }
      const result = call.method === 'eth_chainId' ? `0x${id.toString(16)}` : '0x1'
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: call.id, result }))
      if (call.method === 'eth_subscribe') subscribed.resolve(socket)
    })
  })
  undo.push(() => {
    for (const socket of sockets.clients) socket.terminate()
    sockets.close()
  })
  return {
    url: `ws://127.0.0.1:${(sockets.address() as AddressInfo).port}`,
    announce: async (result: object) => {
      const params = { subscription: '0x1', result }
      const socket = await subscribed.promise
      socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'eth_subscription', params }))
    },
  }
}

/** A chain that is followed from its head; it is asked for its newest block only if nothing is announced. */
async function start() {
  const state = manyPools(id, { pairs: 3, concentrated: 0 })
  const chain = createSimulatedChain({ id, state })
  const node = await startSimulatedNode(chain)
  const { url, announce } = await startAnnouncer()
  const { log } = recordLog()
  const client = createTestClient({ id, rpcUrls: [node.url], wsUrl: url }, log)
  const stop = new AbortController()
  undo.push(node.stop, client.close, () => stop.abort())
  const events = followChain(
    { client, log },
    {
      topics: [syncTopic],
      pollSeconds: 3_600,
      finalityDepth: 8,
      signal: stop.signal,
      finalityPause: () => 1_000n,
    },
  )
  const nextBlock = async () => {
    for (;;) {
      const { value } = await events.next()
      if (value?.type !== 'finalized') return value
    }
  }
  await nextBlock()
  const [pool] = state.pools.values()
  if (pool === undefined) throw new Error('The chain has no pool')
  let reserve0 = 1n
  return {
    chain,
    node,
    announce,
    nextBlock,
    /** Mines a block with a log. */
    trade: () => {
      reserve0 += 1n
      return chain.mine([{ ...pool, pool: { ...pool.pool, reserve0 } } as SimulatedPool])
    },
    methods: () => node.calls.map(({ method, params }) => `${method} ${String(params[0])}`),
  }
}

const asks = (methods: readonly string[], wanted: string) =>
  methods.filter((method) => method === wanted).length

test('an announced block with logs takes one request', async () => {
  const { nextBlock, announce, trade, methods } = await start()
  // A new subscription makes the follower poll once, because blocks may have come before it.
  for (let each = 0; each < 2; each += 1) {
    const next = nextBlock()
    await announce(trade().fields)
    await next
  }
  const before = methods().length
  for (let each = 0; each < 5; each += 1) {
    const { fields, hash } = trade()
    const next = nextBlock()
    await announce(fields)
    expect(await next).toMatchObject({ type: 'block', block: { hash, logs: [{}] } })
  }
  expect(methods().slice(before)).toEqual(Array(5).fill('eth_getLogs [object Object]'))
})

test('an announced block without logs is followed only if an endpoint has it', async () => {
  const { chain, nextBlock, announce, methods } = await start()
  const { fields, hash } = chain.mine()
  const next = nextBlock()
  await announce(fields)
  expect(await next).toMatchObject({ type: 'block', block: { hash, logs: [] } })
  expect(asks(methods(), `eth_getBlockByHash ${hash}`)).toBe(1)
})

test('a field that the hash does not prove is not believed', async () => {
  const { nextBlock, announce, trade } = await start()
  const { fields, hash } = trade()
  const next = nextBlock()
  await announce({ ...fields, timestamp: '0x7fffffff' })
  const timestamp = BigInt(fields.timestamp)
  expect(await next).toMatchObject({ type: 'block', block: { hash, timestamp } })
})

test('a block that no endpoint has is never followed, and the next ones are', async () => {
  const { chain, nextBlock, announce, trade } = await start()
  const invented = { ...trade().fields, timestamp: '0x7fffffff' }
  chain.reorg(1)
  const { fields } = chain.head()
  const next = nextBlock()
  await announce({ ...invented, hash: headerHash(invented) })
  expect(await next).toMatchObject({ type: 'block', block: { hash: fields.hash } })
  const { fields: later, hash } = trade()
  const following = nextBlock()
  await announce(later)
  expect(await following).toMatchObject({ type: 'block', block: { hash } })
})

test('an announced block on another branch is a reorg', async () => {
  const { chain, nextBlock, announce, trade } = await start()
  const first = nextBlock()
  await announce(trade().fields)
  await first
  chain.reorg(1)
  const { fields, hash } = trade()
  const next = nextBlock()
  await announce(fields)
  expect(await next).toMatchObject({ type: 'reorg', undone: [{}] })
  await nextBlock()
  expect(await nextBlock()).toMatchObject({ type: 'block', block: { hash } })
})
