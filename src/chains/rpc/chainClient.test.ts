import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import {
  CallExecutionError,
  ContractFunctionExecutionError,
  concatHex,
  encodeErrorResult,
  type Hex,
  numberToHex,
  parseAbi,
  size,
  zeroAddress,
} from 'viem'
import { afterEach, expect, test, vi } from 'vitest'
import { startAnvil } from '#src/devnet/chain/anvilProcess.ts'
import { recordLog } from '#test/support/chains/testChain.ts'
import { type Behaviour, changeResult } from '#test/support/nodes/rpcProxy.ts'
import { useRpcProxies } from '#test/support/nodes/useRpcProxies.ts'
import { patience } from '#test/support/patience.ts'
import { RpcRefusedError, RpcUnavailableError } from './rpcError.ts'

const rig = useRpcProxies()
afterEach(() => void vi.useRealTimers())

const failures: Readonly<Record<string, Behaviour>> = {
  'a refused connection': 'cut',
  'no answer': 'hang',
  'an answer that stalls': 'stall',
  'a page of HTML': { body: '<html>Gateway timeout</html>', contentType: 'text/html' },
  'HTML that claims to be JSON': { body: '<html>Gateway timeout</html>' },
  'HTTP 500': { body: 'oops', status: 500 },
  'an empty body': { body: '' },
  'half an answer': { body: '{"jsonrpc":"2.0","id":1,"result":{"num' },
  'a list': { body: '[]' },
  null: { body: 'null' },
  'a rate limit': {
    body: '{"jsonrpc":"2.0","id":1,"error":{"code":-32005,"message":"request rate limited"}}',
    status: 429,
  },
  'an error in words': { body: '{"jsonrpc":"2.0","id":1,"error":"no"}' },
  'a null block': changeResult('eth_getBlockByNumber', () => null),
  'a block without hash': changeResult('eth_getBlockByNumber', (block: object) => ({
    ...block,
    hash: null,
  })),
  'a block with a number too long': changeResult('eth_getBlockByNumber', (block: object) => ({
    ...block,
    number: `0x${'1'.repeat(5000)}`,
  })),
}

test.each(Object.keys(failures))('%s: the next endpoint answers', async (name) => {
  const client = rig.createClient({ rpcUrls: [rig.first.url, rig.second.url] }, undefined, 0.3)
  rig.first.behave(failures[name] ?? 'pass')
  const block = await client.getBlock()
  expect(block.hash).toBe((await rig.chain.anvil.getBlock()).hash)
})

test('a failing endpoint backs off, then is checked and used again', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const client = rig.createClient({ rpcUrls: [rig.first.url, rig.second.url] })
  const asksFirst = async (): Promise<readonly string[]> => {
    const before = rig.first.calls.length
    await client.getBalance({ address: zeroAddress })
    return rig.first.calls.slice(before).map(({ method }) => method)
  }
  expect(await asksFirst()).toEqual(['eth_chainId', 'eth_getBalance'])
  rig.first.behave('cut')
  expect(await asksFirst()).toEqual(['eth_getBalance'])
  rig.first.behave('pass')
  expect(await asksFirst()).toEqual([])
  vi.setSystemTime(Date.now() + 1_000)
  // It is checked during the next request, which does not wait for it.
  await vi.waitUntil(async () => (await asksFirst()).includes('eth_getBalance'), patience)
})

test('every action throws our own error when all endpoints fail', async () => {
  const client = rig.createClient({ rpcUrls: [rig.first.url, rig.second.url] })
  rig.first.behave('cut')
  rig.second.behave({ body: '<html>' })
  const abi = parseAbi(['function decimals() view returns (uint8)'])
  const contract = { address: zeroAddress, abi, functionName: 'decimals' } as const
  const outcomes = await Promise.allSettled([
    client.getBlock(),
    client.getBalance({ address: zeroAddress }),
    client.readContract(contract),
    client.call({ to: zeroAddress }),
    client.getLogs(),
    client.multicall({ contracts: [contract], allowFailure: false }),
    client.estimateFeesPerGas(),
  ])
  const reasons = outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason)
  for (const reason of reasons) expect(reason).toBeInstanceOf(RpcUnavailableError)
  expect(reasons[0]).toMatchObject({
    code: 'RPC_HTTP_ERROR',
    message: 'No RPC endpoint of Test Chain gives a usable answer at the moment.',
  })
})

test('an endpoint of another chain is never used, and the log says why', async () => {
  const other = await startAnvil({ chainId: 1234 })
  try {
    const { log, lines } = recordLog()
    const both = rig.createClient({ rpcUrls: [other.rpcUrl, rig.first.url] }, log)
    expect((await both.getBlock()).hash).toBe((await rig.chain.anvil.getBlock()).hash)
    expect(lines).toMatchObject([
      {
        level: 50,
        reason: 'its chain id is 1234, not 990001',
        msg: 'RPC endpoint serves another chain and is not used',
      },
    ])
    const alone = rig.createClient({ rpcUrls: [other.rpcUrl] })
    await expect(alone.getBlock()).rejects.toThrow(RpcUnavailableError)
  } finally {
    await other.stop()
  }
})

test('a refusal has the node’s reason for the log, and hides it from the caller', async () => {
  const client = rig.createClient({ rpcUrls: [rig.first.url] })
  const refused = await client
    .getLogs({ blockHash: `0x${'12'.repeat(32)}` })
    .catch((error) => error)
  expect(refused).toBeInstanceOf(RpcRefusedError)
  expect(refused).toMatchObject({
    code: 'RPC_HTTP_ERROR',
    message: 'The RPC endpoint of Test Chain refused eth_getLogs.',
    words: 'unknown block',
    reason: `${rig.first.url}: eth_getLogs: error -32000: unknown block`,
  })
})

test('a refusal is logged once a minute for people, with host, code and the node’s words', async () => {
  const { log, lines } = recordLog()
  const client = rig.createClient({ rpcUrls: [`${rig.first.url}/v2/0123456789abcdef`] }, log)
  await client.getBlockNumber()
  const error = { code: -32601, message: 'no eth_call on 0123456789abcdef\n\u001b[2Jof your plan' }
  rig.first.behave({ change: () => ({ error }) })
  for (let count = 0; count < 3; count += 1)
    await client.call({ to: zeroAddress }).catch(() => undefined)
  const line = {
    chainId: 990_001,
    rpc: `${rig.first.url}/…`,
    method: 'eth_call',
    code: -32601,
    reason: 'no eth_call on … [2Jof your plan',
    msg: 'RPC endpoint refused a request',
  }
  expect(lines).toMatchObject([
    { ...line, level: 30 },
    { ...line, level: 20 },
    { ...line, level: 20 },
  ])
})

test('an outage has the failure of each endpoint, with its host', async () => {
  const client = rig.createClient({ rpcUrls: [rig.first.url, rig.second.url] })
  rig.first.behave({ body: '{"message":"Invalid API key"}', status: 401 })
  rig.second.behave({ body: '{"jsonrpc":"2.0","id":1,"result":null}' })
  const error = await client.getBlock().catch((reason) => reason)
  expect(error).toBeInstanceOf(RpcUnavailableError)
  expect(error.reason).toMatch(/^\S+: HTTP 401: Invalid API key; \S+: the answer: Invalid input/)
  expect(error.reason).toContain(`${rig.first.url}: HTTP 401`)
  expect(error.reason).toContain(`${rig.second.url}: the answer`)
  expect(error.message).not.toContain('127.0.0.1')
})

test('keys in URLs reach no error and no log line, even if the node repeats them', async () => {
  const secret = 's3cr3tK3y0123456789'
  const urls = [`${rig.first.url}/v2/${secret}`, `${rig.second.url}/?key=${secret}`]
  const wsUrl = `${rig.first.wsUrl}/${secret}`
  const { log, lines } = recordLog()
  const client = rig.createClient({ rpcUrls: urls, wsUrl }, log)
  const error = (code: number) =>
    JSON.stringify({ id: 1, error: { code, message: `key ${secret} of ${urls[0]}: execution` } })
  const seen: unknown[] = []
  await client.getBlock()
  for (const body of [error(-32000), error(3), error(-32005), `<html>${secret}`]) {
    rig.first.behave({ body })
    rig.second.behave({ body })
    seen.push(await client.call({ to: zeroAddress }).catch((reason) => reason))
  }
  client.onHead(() => undefined)
  await vi.waitUntil(() => lines.some(({ msg }) => msg.startsWith('WebSocket')), patience)
  expect(seen).toHaveLength(4)
  for (const reason of seen) expect(reason).toBeInstanceOf(Error)
  expect(inspect([seen, lines], { depth: 20, showHidden: true })).not.toContain(secret)
  expect(lines.length).toBeGreaterThan(1)
})

/** Code that reverts any call with `data`. */
const revertWith = (data: Hex): Hex => {
  const length = numberToHex(size(data), { size: 2 })
  return concatHex(['0x61', length, '0x600e6000', '0x39', '0x61', length, '0x6000fd', data])
}

test('a revert is not an RPC failure: viem decodes it, and no other endpoint is asked', async () => {
  const address = '0x00000000000000000000000000000000000000a1'
  const abi = parseAbi(['error TooDear(uint256 price)', 'function buy() view'])
  const data = encodeErrorResult({ abi, errorName: 'TooDear', args: [7n] })
  await rig.chain.anvil.setCode({ address, bytecode: revertWith(data) })
  const client = rig.createClient({ rpcUrls: [rig.first.url, rig.second.url] })
  const asked = rig.second.calls.length
  const error = await client.readContract({ address, abi, functionName: 'buy' }).catch((e) => e)
  expect(error).toBeInstanceOf(ContractFunctionExecutionError)
  expect(error.cause.data).toMatchObject({ errorName: 'TooDear', args: [7n] })
  expect(rig.second.calls.length).toBe(asked)
})

test.each([
  [-32000, 'out of gas'],
  [-32000, 'invalid opcode: INVALID'],
  [-32000, 'stack underflow (0 <=> 1)'],
  [-32000, 'execution aborted (timeout = 5s)'],
  [-32015, 'VM execution error.'],
  [-32603, 'EVM error OutOfGas'],
  [-32603, 'EVM error InvalidFEOpcode'],
])('a contract cannot make an endpoint back off: %d %s', async (code, message) => {
  const { log, lines } = recordLog()
  const client = rig.createClient({ rpcUrls: [rig.first.url, rig.second.url] }, log)
  await client.getBlockNumber()
  const asked = rig.second.calls.length
  rig.first.behave({ change: () => ({ error: { code, message } }) })
  const error = await client.call({ to: zeroAddress }).catch((reason) => reason)
  expect(error).toBeInstanceOf(CallExecutionError)
  expect(rig.second.calls.slice(asked).map(({ method }) => method)).not.toContain('eth_call')
  expect(lines).toEqual([])
})

test('a contract cannot make us fetch a URL of its choice', async () => {
  let wasFetched = false
  const trap = createServer((_, response) => {
    wasFetched = true
    response.end('{"data":"0x"}')
  }).listen(0, '127.0.0.1')
  await once(trap, 'listening')
  const { port } = trap.address() as AddressInfo
  const address = '0x00000000000000000000000000000000000000a2'
  const data = encodeErrorResult({
    abi: parseAbi([
      'error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData)',
    ]),
    args: [address, [`http://127.0.0.1:${port}/{data}`], '0x', '0x12345678', '0x'],
  })
  await rig.chain.anvil.setCode({ address, bytecode: revertWith(data) })
  const client = rig.createClient({ rpcUrls: [rig.first.url] })
  await expect(client.call({ to: address, data: '0x12345678' })).rejects.toThrow()
  trap.close()
  expect(wasFetched).toBe(false)
})

test('counts the requests by method', async () => {
  const client = rig.createClient({ rpcUrls: [rig.first.url] })
  expect(client.requests().size).toBe(0)
  await client.getBlockNumber()
  await client.getBlockNumber()
  expect([...client.requests()]).toEqual([
    ['eth_chainId', 1],
    ['eth_blockNumber', 2],
  ])
})

test('closing ends current and later requests', async () => {
  const client = rig.createClient({ rpcUrls: [rig.first.url] })
  await client.getBlockNumber()
  rig.first.behave('hang')
  const calls = rig.first.calls.length
  const waiting = client.getBlockNumber().catch((error) => error)
  await vi.waitUntil(() => rig.first.hanging.size === 1, patience)
  client.close()
  await vi.waitUntil(() => rig.first.hanging.size === 0, patience)
  expect(await waiting).toBeInstanceOf(RpcUnavailableError)
  await expect(client.getBlockNumber()).rejects.toThrow(RpcUnavailableError)
  expect(rig.first.calls.length).toBe(calls + 1)
})

test('a caller may abort a request', async () => {
  const client = rig.createClient({ rpcUrls: [rig.first.url] })
  rig.first.behave('hang')
  const impatience = new AbortController()
  const waiting = client.ask({ method: 'eth_blockNumber' }, String, impatience.signal)
  impatience.abort(new Error('given up'))
  await expect(waiting).rejects.toThrow('given up')
})
