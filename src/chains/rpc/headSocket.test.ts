import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { recordLog, startTestChain, type TestChain } from '#test/support/chains/testChain.ts'
import { patience } from '#test/support/patience.ts'
import { headerHash, subscribeToHeads } from './headSocket.ts'

describe('head socket', () => {
  let server: WebSocketServer
  let end: () => void = () => undefined

  beforeEach(async () => {
    server = new WebSocketServer({ port: 0, host: '127.0.0.1', autoPong: false })
    await once(server, 'listening')
  })
  afterEach(async () => {
    vi.useRealTimers()
    end()
    for (const socket of server.clients) socket.terminate()
    server.close()
    await once(server, 'close')
  })

  /** Subscribes to a node that answers each request by its id. `heads` gets the announced numbers. */
  function subscribe(answers: Readonly<Record<number, unknown>>) {
    server.on('connection', (socket) =>
      socket.on('message', (data) => {
        const { id } = JSON.parse(String(data)) as { id: number }
        if (id in answers) socket.send(JSON.stringify({ id, ...(answers[id] as object) }))
      }),
    )
    const { port } = server.address() as AddressInfo
    const heads: (bigint | undefined)[] = []
    const { log, lines } = recordLog()
    end = subscribeToHeads(
      { log, redact: (text) => text, count: () => undefined },
      { url: `ws://127.0.0.1:${port}/`, chainId: 990001 },
      (number) => heads.push(number),
    )
    return { heads, lines }
  }

  const ours = { 1: { result: '0xf1b31' }, 2: { result: '0xabc' } }
  const announce = (number: string): void => {
    const params = { subscription: '0xabc', result: { number } }
    for (const socket of server.clients)
      socket.send(JSON.stringify({ method: 'eth_subscription', params }))
  }

  test('notifies when the subscription starts, and then of each head', async () => {
    const { heads } = subscribe(ours)
    await vi.waitUntil(() => heads.length === 1, patience)
    announce('0x10')
    await vi.waitUntil(() => heads.length === 2, patience)
    expect(heads).toEqual([undefined, 16n])
  })

  test.each<[string, Readonly<Record<number, unknown>>, string]>([
    ['another chain', { ...ours, 1: { result: '0x1' } }, 'its chain id is 1, not 990001'],
    ['a refusal', { 2: { error: { code: -32601, message: 'no such method' } } }, 'no such method'],
    ['nonsense', { ...ours, 1: { result: '<html>' } }, '<html>'],
  ])('%s ends the connection, and it reconnects', async (_, answers, reason) => {
    const { lines } = subscribe(answers)
    await once(server, 'connection')
    await once(server, 'connection')
    expect(lines[0]?.['reason']).toContain(reason)
  })

  test('a message larger than any newHeads message ends the connection', async () => {
    const { lines } = subscribe(ours)
    const [socket] = (await once(server, 'connection')) as [WebSocket]
    socket.send('x'.repeat(1_000_000))
    await once(server, 'connection')
    expect(lines[0]?.['reason']).toContain('payload')
  })

  test('reconnects when the peer is silent for two pings', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
    const { heads } = subscribe(ours)
    const [socket] = (await once(server, 'connection')) as [WebSocket]
    await vi.waitUntil(() => heads.length === 1, patience)
    vi.advanceTimersByTime(60_000)
    await once(socket, 'close')
    await once(server, 'connection')
  })

  test('keeps the connection while the peer answers pings', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
    const { heads } = subscribe(ours)
    const [socket] = (await once(server, 'connection')) as [WebSocket]
    await vi.waitUntil(() => heads.length === 1, patience)
    for (let each = 1; each <= 4; each += 1) {
      const pinged = once(socket, 'ping')
      vi.advanceTimersByTime(15_000)
      await pinged
      socket.pong()
      socket.send(JSON.stringify({ id: 2, result: '0xabc' }))
      await vi.waitUntil(() => heads.length === 1 + each, patience)
    }
    expect(socket.readyState).toBe(socket.OPEN)
  })
})

describe('header hash', () => {
  let chain: TestChain
  beforeAll(async () => {
    chain = await startTestChain()
  })
  afterAll(() => chain.stop())

  const empty = (byte: string, bytes: number): `0x${string}` => `0x${byte.repeat(bytes)}`

  /** Of Ethereum. @source go-ethereum 1.14.9, params.MainnetGenesisHash and core.DefaultGenesisBlock */
  const genesis = {
    hash: '0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3',
    parentHash: empty('00', 32),
    sha3Uncles: '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347',
    miner: empty('00', 20),
    stateRoot: '0xd7f8974fb5ac78d9ac099b9ad5018bedc2ce0a72dad1827a1709da30580f0544',
    transactionsRoot: '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421',
    receiptsRoot: '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421',
    logsBloom: empty('00', 256),
    difficulty: '0x400000000',
    number: '0x0',
    gasLimit: '0x1388',
    gasUsed: '0x0',
    timestamp: '0x0',
    extraData: '0x11bbe8db4e347b4e8c937c1c8370e4b5ed33adb3db69cbdb7a38e1e50b1b82fa',
    mixHash: empty('00', 32),
    nonce: '0x0000000000000042',
  }

  test('hashes the first block of Ethereum', () => {
    expect(headerHash(genesis)).toBe(genesis.hash)
  })

  test('hashes blocks as anvil does, and every other field gives another hash', async () => {
    await chain.emit(empty('01', 32))
    const block = (await chain.anvil.request({
      method: 'eth_getBlockByNumber',
      params: ['latest', false],
    })) as Readonly<Record<string, unknown>> | null
    if (block === null) throw new Error('No block')
    expect(headerHash(block)).toBe(block['hash'])
    for (const name of [
      'timestamp',
      'baseFeePerGas',
      'gasUsed',
      'logsBloom',
      'parentHash',
      'number',
    ]) {
      const text = String(block[name])
      const other = text.endsWith('1') ? `${text.slice(0, -1)}2` : `${text.slice(0, -1)}1`
      expect(headerHash({ ...block, [name]: other })).not.toBe(block['hash'])
    }
  })

  test.each([
    ['a field is missing', { stateRoot: undefined }],
    ['a field is not a number', { gasUsed: 'many' }],
    ['bytes are none', { extraData: '0x1' }],
    ['a later field follows a missing one', { withdrawalsRoot: empty('00', 32) }],
  ])('there is no hash where %s', (_, change) => {
    expect(headerHash({ ...genesis, ...change })).toBeUndefined()
  })
})
