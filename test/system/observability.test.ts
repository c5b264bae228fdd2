import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { version } from '#src/config/command.ts'
import { createLog } from '#src/config/log.ts'
import { nativeAddress } from '#src/core/units/address.ts'
import { solver, users } from '#src/devnet/accounts.ts'
import { startDevnet } from '#src/devnet/startDevnet.ts'
import { testPace } from '#test/support/chains/pace.ts'
import { mineAtUsualFee } from '#test/support/chains/sendUntilMined.ts'
import { createGraphqlClient } from '#test/support/clients/graphqlClient.ts'
import { askedMetrics } from '#test/support/monitoring.ts'
import { startRpcProxy } from '#test/support/nodes/rpcProxy.ts'
import { urlOf } from '#test/support/nodes/urlOf.ts'
import { patience } from '#test/support/patience.ts'
import {
  type CrossquoteProcess,
  spawnCrossquote,
} from '#test/support/processes/crossquoteProcess.ts'
import { devnetKeys } from '#test/support/processes/devnetKeys.ts'
import { makeStoreDirectory } from '#test/support/store/storeDirectory.ts'
import { createWallet, type Wallet } from '#test/support/wallets/wallet.ts'

const secret = 'b7c1f0e92a5d4836'
const [origin, destination] = [990001, 990002] as const

type Span = Readonly<{
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  attributes: Readonly<Record<string, unknown>>
}>

const undo: (() => Promise<unknown> | unknown)[] = []
afterAll(async () => {
  for (const each of undo.splice(0).reverse()) await each()
})

/** Receives traces as a collector does: OTLP over HTTP, in JSON. */
async function startCollector() {
  const spans: Span[] = []
  const server = createServer(async (request, response) => {
    const sent = (await json(request)) as SentTraces
    for (const { scopeSpans } of sent.resourceSpans)
      for (const each of scopeSpans.flatMap((scope) => scope.spans))
        spans.push({
          ...each,
          attributes: Object.fromEntries(
            each.attributes.map(({ key, value }) => [key, Object.values(value)[0]]),
          ),
        })
    response.setHeader('content-type', 'application/json').end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  undo.push(() => server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans }
}

type SentTraces = Readonly<{
  resourceSpans: readonly Readonly<{
    scopeSpans: readonly Readonly<{
      spans: readonly (Omit<Span, 'attributes'> &
        Readonly<{ attributes: readonly Readonly<{ key: string; value: object }>[] }>)[]
    }>[]
  }>[]
}>

let running: CrossquoteProcess
let url: string
let wallet: Wallet
let spans: readonly Span[]
const requestIds: string[] = []
let metrics: string
beforeAll(async () => {
  const directory = mkdtempSync(join(tmpdir(), 'crossquote-'))
  const stored = await makeStoreDirectory()
  undo.push(
    () => rmSync(directory, { recursive: true }),
    () => rmSync(stored, { recursive: true }),
  )
  const devnet = await startDevnet({
    log: createLog('silent'),
    directory,
    firstPort: 0,
    ...testPace,
  })
  undo.push(devnet.stop)
  wallet = createWallet(devnet.description, users[0])
  const dead = await startRpcProxy('http://127.0.0.1:1')
  undo.push(dead.stop)
  // An endpoint that fails, and says the key aloud. The others of the chains work, and have keys as well.
  const message = `too many requests of ${secret} at https://rpc.example/v2/${secret}`
  const error = { code: 429, message }
  dead.behave({ body: JSON.stringify({ jsonrpc: '2.0', id: 1, error }) })
  const chains = await Promise.all(
    devnet.config.chains.map(async (chain) => {
      const proxy = await startRpcProxy(urlOf(chain.rpcUrls?.[0]))
      undo.push(proxy.stop)
      const rpcUrls = [dead, proxy].map((each) => `${each.url}/v2/${secret}?apikey=${secret}`)
      return { ...chain, rpcUrls, wsUrl: `${proxy.wsUrl}/ws/${secret}` }
    }),
  )
  const configPath = join(directory, 'config.json')
  writeFileSync(configPath, JSON.stringify({ ...devnet.config, chains }))
  const collector = await startCollector()
  spans = collector.spans
  running = spawnCrossquote({
    CONFIG: configPath,
    DATA_DIRECTORY: stored,
    ...devnetKeys,
    LOG_LEVEL: 'debug',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  })
  undo.push(running.kill)
  url = await running.url()
  await vi.waitUntil(async () => (await fetch(`${url}/ready`)).ok, patience)
  await runRequest({})
  await runRequest({ referrer: 'debug-force-refund' })
  // Payments are final at once, not after a minute of blocks.
  for (const chainId of [origin, destination])
    await devnet.suspendMining(chainId, () => mineAtUsualFee(wallet.clientOn(chainId), 70))
  metrics = await vi.waitUntil(async () => {
    const text = await (await fetch(`${url}/metrics`)).text()
    return /_transactions_total\{.*"refund",status="final"\} 1/.test(text) && text
  }, patience)
  running.terminate()
  await running.ended
})

/** Runs one request from its quote to its end. */
async function runRequest(change: object): Promise<void> {
  const client = createGraphqlClient(url)
  const input = {
    user: wallet.address,
    amount: `${10n ** 17n}`,
    tradeType: 'EXACT_INPUT',
    originChainId: origin,
    originCurrency: nativeAddress,
    destinationChainId: destination,
    destinationCurrency: nativeAddress,
    ...change,
  }
  type Quoted = Readonly<{ quote: { requestId: string; steps: Parameters<Wallet['execute']>[0] } }>
  const { data, errors } = await client.query<Quoted, object>(quoteQuery, { input })
  if (data == null) throw new Error(JSON.stringify(errors))
  const { requestId, steps } = data.quote
  requestIds.push(requestId)
  await wallet.execute(steps)
  type Status = Readonly<{ requestStatus: { status: string } }>
  await vi.waitUntil(async () => {
    const answer = await client.query<Status, object>(statusQuery, { requestId })
    return ['success', 'refund'].includes(answer.data?.requestStatus.status ?? '')
  }, patience)
}

const quoteQuery = `query Quote($input: QuoteInput!) {
  quote(input: $input) {
    requestId
    steps { items { data { to data value chainId gas maxFeePerGas maxPriorityFeePerGas } } }
  }
}`
const statusQuery =
  'query Status($requestId: RequestId!) { requestStatus(requestId: $requestId) { status } }'

const linesOf = (message: string) =>
  running
    .log()
    .split('\n')
    .filter((line) => line.includes(`"msg":"${message}"`))
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)

it('logs one line for each fill and each refund, with the id of its request', () => {
  expect(linesOf('Fills a request').map(({ requestId }) => requestId)).toEqual([requestIds[0]])
  expect(linesOf('Refunds a deposit').map(({ requestId }) => requestId)).toEqual([requestIds[1]])
})

it('shows no key and no whole URL of an endpoint in logs, metrics and traces', () => {
  expect(linesOf('Rate limited by RPC endpoint; slowing down')).not.toEqual([])
  for (const text of [running.log(), metrics, JSON.stringify(spans)]) {
    expect(text).not.toContain(secret)
    expect(text).not.toContain(solver.privateKey.slice(2))
    expect(text).not.toContain('apikey')
  }
})

it('counts payments, calls of the store, and failures of endpoints', () => {
  for (const pattern of [
    /_solver_transactions_total\{chain="devnet-rollup",purpose="fill",status="final"\} 1/,
    /_solver_transactions_total\{chain="devnet-ethereum",purpose="refund",status="sent"\} 1/,
    /_store_duration_seconds_count\{operation="put"\} 2/,
    /_rpc_failures_total\{chain="devnet-ethereum",endpoint="0: http:[^"]*"\} [1-9]/,
    /_rpc_backing_off\{chain="devnet-ethereum",endpoint="1: http:[^"]*"\} 0/,
  ])
    expect(metrics).toMatch(pattern)
})

it('names the version that runs', () => {
  expect(metrics).toContain(`\ncrossquote_build_info{version="${version()}"} 1\n`)
})

it('has every metric that the alert rules and the dashboard query', () => {
  const known = new Set([...metrics.matchAll(/^# HELP (\w+)/gm)].map(([, name]) => name))
  const missing = [...askedMetrics()].filter((name) => !known.has(name))
  expect(missing).toEqual([])
})

const isOfRequest = (span: Span, id: string | undefined) =>
  String(span.attributes['crossquote.request_id']).split(' ').includes(String(id))
const childrenOf = (parent: Span | undefined) =>
  spans.filter(({ parentSpanId }) => parentSpanId === parent?.spanId).map(({ name }) => name)
const findSpan = (name: string, id?: string) =>
  spans.find((span) => span.name === name && (id === undefined || isOfRequest(span, id)))

it('traces a quote from the HTTP request to its pricing, its store and its RPC calls', () => {
  const stored = findSpan('store put', requestIds[0])
  const trace = spans.filter(({ traceId }) => traceId === stored?.traceId)
  const root = trace.find(({ name }) => name === 'POST /graphql')
  expect(root?.parentSpanId).toBeUndefined()
  expect(root?.attributes['http.response.status_code']).toBe(200)
  const operation = trace.find(({ name }) => name === 'operation quote')
  expect(operation?.parentSpanId).toBe(root?.spanId)
  expect(operation?.attributes).toEqual({
    'crossquote.origin_chain_id': origin,
    'crossquote.destination_chain_id': destination,
  })
  expect(childrenOf(operation)).toEqual(expect.arrayContaining(['pricing', 'store put']))
  expect(trace.map(({ name }) => name)).toContain('rpc eth_estimateGas')
})

it('traces the tracker and the solver by the id of the request', () => {
  for (const [at, purpose] of ['fill', 'refund'].entries()) {
    expect(findSpan('tracker change', requestIds[at])).toBeDefined()
    const payment = findSpan(`solver ${purpose}`, requestIds[at])
    expect(childrenOf(payment)).toEqual(
      expect.arrayContaining(['store save', 'rpc eth_sendRawTransaction']),
    )
  }
})
