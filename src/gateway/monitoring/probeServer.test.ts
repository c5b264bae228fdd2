import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Log } from '#src/config/log.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import { toUsd } from '#src/core/units/usd.ts'
import type { StoreHealth } from '#src/requests/requestStore.ts'
import { addUp } from '#src/requests/state/books.ts'
import { createMetrics } from './metrics.ts'
import { createProbeServer } from './probeServer.ts'
import type { WorkerStatus } from './workerStatus.ts'

const silent = () => undefined
const log: Log = { debug: silent, info: silent, warn: silent, error: silent }
const ether = { id: toChainId(1), name: 'ether' }

let workerStatuses: readonly WorkerStatus[] = []
const metrics = createMetrics({
  chains: () => [{ ...ether, head: undefined }],
  clients: new Map([
    [
      ether.id,
      {
        usage: () => [
          { rpc: '0: http://rpc', requests: new Map([['eth_call', 3]]), budget: undefined },
        ],
      },
    ],
  ]),
  workerStatuses: () => workerStatuses,
})
let storeHealth: StoreHealth = { ok: true }
const { server, drain, close } = createProbeServer({
  log,
  storeHealth: () => storeHealth,
  metrics,
  workerStatuses: () => workerStatuses,
})
let url: string
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(close)

const ofEther = { chain: 'ether', leadership: 'leads' } as const
const tracker = {
  ...ofEther,
  kind: 'tracker',
  name: 'tracker:1',
  leasesLost: 0,
  head: 12n,
  cursor: 10n,
  watched: 2,
  restarts: 1,
  hasWrongGenesis: false,
} as const satisfies WorkerStatus
const today = {
  transactions: 3,
  gas: 10n ** 15n,
  gasUsd: toUsd(3_500_000n),
  gasUnknown: 0,
  volumeUsd: toUsd(2_000_000_000n),
  volumeUnknown: 1,
  feesUsd: toUsd(2_000_000n),
  feesUnknown: 1,
  sponsoredUsd: toUsd(250_000n),
}
const solver = {
  ...ofEther,
  kind: 'solver',
  name: 'solver:1',
  leasesLost: 0,
  block: 11n,
  open: 4,
  failures: 3,
  isAllocator: true,
  isKeyOfIdentity: false,
  signerFailures: 2,
  unknownNonces: 2,
  unexplainedFills: 1,
  nearExit: 5,
  unsettleable: 3,
  exposureUsd: toUsd(1_500_000n),
  stoppedAssets: 1,
  settlementStopped: true,
  books: { total: addUp([today, today]), today, yesterday: addUp([]) },
} as const satisfies WorkerStatus
const webhooks = {
  kind: 'webhooks',
  name: 'webhooks',
  leasesLost: 0,
  leadership: 'leads',
} as const satisfies WorkerStatus

/** The lines of `/metrics` about workers. */
async function workerLines(): Promise<readonly string[]> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return text.split('\n').filter((line) => /^crossquote_(leads|tracker|solver)/.test(line))
}

async function readiness(): Promise<unknown> {
  const response = await fetch(`${url}/ready`)
  return [response.status, await response.json()]
}

describe('probe server', () => {
  it('is ready once each led worker has completed a round and the others are on standby', async () => {
    workerStatuses = [
      { ...tracker, head: undefined },
      { ...solver, block: undefined },
      { ...webhooks, leadership: 'unknown' },
    ]
    const work = ['tracker:1', 'solver:1', 'webhooks']
    expect(await readiness()).toEqual([503, { status: 'waiting', work }])
    workerStatuses = [tracker, { ...solver, block: undefined, leadership: 'standsBy' }, webhooks]
    expect(await readiness()).toEqual([200, { status: 'ready' }])
  })

  it('is not ready while requests cannot be stored, and says why', async () => {
    workerStatuses = [tracker, solver, webhooks]
    storeHealth = { ok: false, reason: 'the disk is full' }
    const reasons = ['Requests cannot be stored: the disk is full']
    expect(await readiness()).toEqual([503, { status: 'failing', reasons }])
    storeHealth = { ok: true }
    expect(await readiness()).toEqual([200, { status: 'ready' }])
  })

  it('reports the figures of led workers only', async () => {
    workerStatuses = [tracker, solver, webhooks]
    expect(await workerLines()).toEqual([
      'crossquote_leads{work="tracker",chain="ether"} 1',
      'crossquote_leads{work="solver",chain="ether"} 1',
      'crossquote_leads{work="webhooks",chain=""} 1',
      'crossquote_tracker_head_block{chain="ether"} 12',
      'crossquote_tracker_cursor_block{chain="ether"} 10',
      'crossquote_tracker_watched_transactions{chain="ether"} 2',
      'crossquote_tracker_wrong_genesis{chain="ether"} 0',
      'crossquote_tracker_restarts_total{chain="ether"} 1',
      'crossquote_solver_block{chain="ether"} 11',
      'crossquote_solver_open_transactions{chain="ether"} 4',
      'crossquote_solver_failures{chain="ether"} 3',
      'crossquote_solver_is_allocator{chain="ether"} 1',
      'crossquote_solver_is_key_of_identity{chain="ether"} 0',
      'crossquote_solver_signer_failures{chain="ether"} 2',
      'crossquote_solver_unknown_nonces{chain="ether"} 2',
      'crossquote_solver_unexplained_fills{chain="ether"} 1',
      'crossquote_solver_deposits_near_exit{chain="ether"} 5',
      'crossquote_solver_unsettleable_deposits{chain="ether"} 3',
      'crossquote_solver_exposure_usd{chain="ether"} 1.5',
      'crossquote_solver_stopped_assets{chain="ether"} 1',
      'crossquote_solver_settlement_stopped{chain="ether"} 1',
      'crossquote_solver_booked_transactions_total{chain="ether"} 6',
      'crossquote_solver_volume_usd_total{chain="ether"} 4000',
      'crossquote_solver_gas_usd_total{chain="ether"} 7',
      'crossquote_solver_unknown_values_total{chain="ether"} 4',
      'crossquote_solver_day_volume_usd{chain="ether",day="today"} 2000',
      'crossquote_solver_day_volume_usd{chain="ether",day="yesterday"} 0',
      'crossquote_solver_day_fees_usd{chain="ether",day="today"} 2',
      'crossquote_solver_day_fees_usd{chain="ether",day="yesterday"} 0',
      'crossquote_solver_day_sponsored_usd{chain="ether",day="today"} 0.25',
      'crossquote_solver_day_sponsored_usd{chain="ether",day="yesterday"} 0',
      'crossquote_solver_day_gas_usd{chain="ether",day="today"} 3.5',
      'crossquote_solver_day_gas_usd{chain="ether",day="yesterday"} 0',
      'crossquote_solver_day_profit_usd{chain="ether",day="today"} -1.5',
      'crossquote_solver_day_profit_usd{chain="ether",day="yesterday"} 0',
    ])
    workerStatuses = [
      { ...tracker, leadership: 'standsBy' },
      { ...solver, leadership: 'unknown' },
      webhooks,
    ]
    expect(await workerLines()).toEqual([
      'crossquote_leads{work="tracker",chain="ether"} 0',
      'crossquote_leads{work="solver",chain="ether"} 0',
      'crossquote_leads{work="webhooks",chain=""} 1',
    ])
  })

  it('is ready as a feed once it has published, and as a standby once it has a market', async () => {
    const feed = { ...ofEther, kind: 'feed', name: 'feed:1', leasesLost: 0 } as const
    const none = { block: undefined, hasMarket: false }
    workerStatuses = [{ ...feed, ...none, hasMarket: true }]
    expect(await readiness()).toEqual([503, { status: 'waiting', work: ['feed:1'] }])
    workerStatuses = [{ ...feed, ...none, leadership: 'standsBy' }]
    expect(await readiness()).toEqual([503, { status: 'waiting', work: ['feed:1'] }])
    workerStatuses = [{ ...feed, ...none, leadership: 'standsBy', hasMarket: true }]
    expect(await readiness()).toEqual([200, { status: 'ready' }])
    workerStatuses = [{ ...feed, block: 7n, hasMarket: true }]
    expect(await readiness()).toEqual([200, { status: 'ready' }])
    const text = await (await fetch(`${url}/metrics`)).text()
    expect(text.split('\n').filter((line) => line.startsWith('crossquote_feed'))).toEqual([
      'crossquote_feed_block{chain="ether"} 7',
    ])
  })

  it('answers /health, 404 for other paths and 405 for other methods', async () => {
    expect(await (await fetch(`${url}/health`)).json()).toEqual({ status: 'ok' })
    const other = await fetch(`${url}/graphql`)
    expect([other.status, await other.json()]).toEqual([
      404,
      {
        message: 'Not found. Available paths: /health, /ready, /metrics',
        errorCode: 'NOT_FOUND',
        statusCode: 404,
      },
    ])
    const posted = await fetch(`${url}/ready`, { method: 'POST' })
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
  })

  it('is not ready any more once it drains', async () => {
    workerStatuses = [tracker, solver, webhooks]
    drain()
    expect(await readiness()).toEqual([503, { status: 'draining' }])
  })
})
