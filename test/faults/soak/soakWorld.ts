import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { createLog } from '#src/config/log.ts'
import { users } from '#src/devnet/accounts.ts'
import { startDevnet } from '#src/devnet/startDevnet.ts'
import { createLocalBus } from '#src/requests/events/bus.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { openRequestStore } from '#src/requests/store/openRequestStore.ts'
import { startTcpProxy } from '#test/support/clients/tcpProxy.ts'
import { startBalancer } from '#test/support/gateways/balancer.ts'
import { startRpcProxy } from '#test/support/nodes/rpcProxy.ts'
import { urlOf } from '#test/support/nodes/urlOf.ts'
import { patience } from '#test/support/patience.ts'
import { devnetKeys } from '#test/support/processes/devnetKeys.ts'
import { createPgliteHome, createPostgresHome } from '#test/support/store/storeHome.ts'
import { createWallet } from '#test/support/wallets/wallet.ts'
import type { Breakable } from './faults.ts'
import { openSlot, type Slot } from './slots.ts'
import { mountSmallDisk } from './smallDisk.ts'

type Undo = (undo: () => Promise<unknown> | unknown) => void
type Env = Readonly<Record<string, string>>

/** The chains, each behind a proxy that can freeze it. */
async function startChains(undo: Undo) {
  const directory = mkdtempSync(join(tmpdir(), 'crossquote-'))
  undo(() => rmSync(directory, { recursive: true, force: true }))
  const devnet = await startDevnet({ log: createLog('silent'), directory, firstPort: 0 })
  undo(devnet.stop)
  const rpc = await Promise.all(
    devnet.config.chains.map(({ rpcUrls: [url] = [] }) => startRpcProxy(urlOf(url))),
  )
  for (const each of rpc) undo(each.stop)
  const chains = devnet.config.chains.map((chain, at) => ({
    ...chain,
    rpcUrls: [rpc[at]?.url],
    wsUrl: rpc[at]?.wsUrl,
  }))
  const path = join(directory, 'config.json')
  writeFileSync(path, JSON.stringify({ ...devnet.config, chains, maxOpenQuotes: 1_000_000 }))
  const wallet = createWallet(devnet.description, users[0])
  const env: Env = { CONFIG: path, ...devnetKeys }
  return { env, wallet, rpc }
}

async function startWorld(
  undo: Undo,
  slots: readonly Slot[],
  chains: Awaited<ReturnType<typeof startChains>>,
  rest: Partial<Breakable>,
  openStore: () => Promise<RequestStore>,
) {
  for (const each of slots) undo(each.stop)
  const gateways = slots.filter(({ roles }) => roles === 'all' || roles === 'gateway')
  const balancer = await startBalancer(() => gateways.flatMap((each) => each.url() ?? []))
  undo(balancer.stop)
  const areReady = async () =>
    (await Promise.all(slots.map((each) => each.isReady()))).every(Boolean)
  await vi.waitUntil(areReady, patience)
  const { rpc, wallet } = chains
  const breakable: Breakable = { slots, rpc, gatewayUrl: balancer.url, ...rest }
  return { url: balancer.url, slots, wallet, breakable, areReady, openStore }
}

export type SoakWorld = Awaited<ReturnType<typeof startWorld>>

/** One process with the embedded database, on a small disk where one can be mounted. */
export async function startEmbedded(undo: Undo): Promise<SoakWorld> {
  const chains = await startChains(undo)
  const home = await createPgliteHome()
  undo(home.remove)
  const disk = mountSmallDisk(home.where.directory, 300)
  if (disk !== undefined) undo(disk.unmount)
  const directory = disk?.directory ?? home.where.directory
  const slots = [openSlot('the process', 'all', { ...chains.env, DATA_DIRECTORY: directory })]
  const log = createLog('silent')
  const openStore = () => openRequestStore({ log, bus: createLocalBus() }, { directory })
  return startWorld(undo, slots, chains, disk === undefined ? {} : { disk: directory }, openStore)
}

/** Two gateways and two workers on one Postgres and one Redis, both behind proxies that can cut them. */
export async function startCluster(undo: Undo, redisUrl: string): Promise<SoakWorld> {
  const chains = await startChains(undo)
  const home = await createPostgresHome()
  undo(home.remove)
  const proxyOf = async (url: string, defaultPort: number) => {
    const target = new URL(url)
    const port = Number(target.port === '' ? defaultPort : target.port)
    const proxy = await startTcpProxy({ host: target.hostname, port })
    undo(proxy.stop)
    target.hostname = '127.0.0.1'
    target.port = String(proxy.port)
    return { proxy, url: target.href }
  }
  const postgres = await proxyOf(home.where.databaseUrl ?? '', 5432)
  const redis = await proxyOf(redisUrl, 6379)
  const env = { ...chains.env, DATABASE_URL: postgres.url, REDIS_URL: redis.url }
  const slots = [
    openSlot('gateway 1', 'gateway', env),
    openSlot('gateway 2', 'gateway', env),
    openSlot('worker 1', 'tracker,solver', env),
    openSlot('worker 2', 'tracker,solver', env),
  ]
  const proxies = { postgres: postgres.proxy, redis: redis.proxy }
  return startWorld(undo, slots, chains, proxies, home.open)
}
