import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Log } from '#src/log.ts'
import { toChainId } from '#src/units/chainId.ts'
import { createMetrics } from './metrics.ts'
import { createProbeServer } from './probeServer.ts'
import type { Duty } from './workerStatus.ts'

const silent = () => undefined
const log: Log = { debug: silent, info: silent, warn: silent, error: silent }
const ether = { id: toChainId(1), name: 'ether' }

let duties: readonly Duty[] = []
const metrics = createMetrics({
  chains: () => [{ ...ether, head: undefined }],
  clients: new Map([[ether.id, { requests: () => [['eth_call', 3]] as const }]]),
  duties: () => duties,
})
const { server, close } = createProbeServer({ log, metrics, duties: () => duties })
let url: string
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(close)

const ofEther = { chain: 'ether', turn: 'leads' } as const
const tracker = {
  ...{ ...ofEther, kind: 'tracker', name: 'tracker:1' },
  ...{ head: 12n, cursor: 10n, watched: 2, restarts: 1 },
} as const satisfies Duty
const solver = {
  ...{ ...ofEther, kind: 'solver', name: 'solver:1' },
  ...{ block: 11n, open: 4, failures: 3, isAllocator: true },
} as const satisfies Duty
const webhooks = { kind: 'webhooks', name: 'webhooks', turn: 'leads' } as const satisfies Duty

/** What `/metrics` says of the work. */
async function workLines(): Promise<readonly string[]> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return text.split('\n').filter((line) => /^crossquote_(leads|tracker|solver)/.test(line))
}

async function readiness(): Promise<unknown> {
  const response = await fetch(`${url}/ready`)
  return [response.status, await response.json()]
}

describe('a process without a gateway', () => {
  it('is ready once each work that it leads was looked at once, and of the rest it stands by', async () => {
    duties = [
      { ...tracker, head: undefined },
      { ...solver, block: undefined },
      { ...webhooks, turn: 'unknown' },
    ]
    const work = ['tracker:1', 'solver:1', 'webhooks']
    expect(await readiness()).toEqual([503, { status: 'waiting', work }])
    duties = [tracker, { ...solver, block: undefined, turn: 'standsBy' }, webhooks]
    expect(await readiness()).toEqual([200, { status: 'ready' }])
  })

  it('gives the figures of what it leads, and no more of what it has led', async () => {
    duties = [tracker, solver, webhooks]
    expect(await workLines()).toEqual([
      'crossquote_leads{work="tracker",chain="ether"} 1',
      'crossquote_leads{work="solver",chain="ether"} 1',
      'crossquote_leads{work="webhooks",chain=""} 1',
      'crossquote_tracker_head_block{chain="ether"} 12',
      'crossquote_tracker_cursor_block{chain="ether"} 10',
      'crossquote_tracker_watched_transactions{chain="ether"} 2',
      'crossquote_tracker_restarts_total{chain="ether"} 1',
      'crossquote_solver_block{chain="ether"} 11',
      'crossquote_solver_open_transactions{chain="ether"} 4',
      'crossquote_solver_failures{chain="ether"} 3',
      'crossquote_solver_is_allocator{chain="ether"} 1',
    ])
    duties = [{ ...tracker, turn: 'standsBy' }, { ...solver, turn: 'unknown' }, webhooks]
    expect(await workLines()).toEqual([
      'crossquote_leads{work="tracker",chain="ether"} 0',
      'crossquote_leads{work="solver",chain="ether"} 0',
      'crossquote_leads{work="webhooks",chain=""} 1',
    ])
  })

  it('says what else it is, and what it is not', async () => {
    expect(await (await fetch(`${url}/health`)).json()).toEqual({ status: 'ok' })
    const other = await fetch(`${url}/graphql`)
    expect([other.status, await other.json()]).toEqual([
      404,
      {
        message: 'Nothing is at this path; /health, /ready and /metrics are',
        errorCode: 'NOT_FOUND',
        statusCode: 404,
      },
    ])
    const posted = await fetch(`${url}/ready`, { method: 'POST' })
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
  })
})
