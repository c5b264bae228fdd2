import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Hash } from 'viem'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { ConfigInput } from '#src/config/config.ts'
import { createLog } from '#src/config/log.ts'
import { nativeAddress } from '#src/core/units/address.ts'
import { users } from '#src/devnet/accounts.ts'
import { startDevnet } from '#src/devnet/startDevnet.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { testPace } from '#test/support/chains/pace.ts'
import { createGraphqlClient } from '#test/support/clients/graphqlClient.ts'
import { startTcpProxy } from '#test/support/clients/tcpProxy.ts'
import { type RpcProxy, startRpcProxy } from '#test/support/nodes/rpcProxy.ts'
import { waitLimitMs } from '#test/support/patience.ts'
import {
  type CrossquoteProcess,
  spawnCrossquote,
} from '#test/support/processes/crossquoteProcess.ts'
import { devnetKeys } from '#test/support/processes/devnetKeys.ts'
import { createPostgresHome, type StoreHome, serverUrl } from '#test/support/store/storeHome.ts'
import { newAccount } from '#test/support/wallets/newAccount.ts'
import { createWallet, type Wallet } from '#test/support/wallets/wallet.ts'

const [origin, destination] = [990001, 990002] as const
/** To read the metrics of a process takes some of its time. */
const patience = { timeout: waitLimitMs, interval: 200 }

/** Three trackers, three solvers, three relayers and the webhooks. */
const duties = 10

const quoteQuery = `query Quote($input: QuoteInput!) {
  quote(input: $input) {
    requestId
    steps { items { data { to data value chainId gas maxFeePerGas maxPriorityFeePerGas } } }
    details { currencyOut { amount } }
  }
}`

type Quoted = Readonly<{
  quote: Readonly<{
    requestId: Hash
    steps: Parameters<Wallet['execute']>[0]
    details: Readonly<{ currencyOut: Readonly<{ amount: string }> }>
  }>
}>

/** A worker whose way to the database, and to the destination chain, the test controls. */
type Worker = CrossquoteProcess &
  Readonly<{ network: Awaited<ReturnType<typeof startTcpProxy>>; rpc: RpcProxy }>

/** The sum of a metric over all its labels. */
async function figureOf(worker: CrossquoteProcess, name: string): Promise<number> {
  const text = await (await fetch(`${await worker.url()}/metrics`)).text()
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`))
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)
}

const leadsAll = (worker: CrossquoteProcess): Promise<unknown> =>
  vi.waitUntil(async () => (await figureOf(worker, 'crossquote_leads')) === duties, patience)

const standsBy = (worker: CrossquoteProcess): Promise<unknown> =>
  vi.waitUntil(async () => (await figureOf(worker, 'crossquote_leads')) === 0, patience)

describe.skipIf(serverUrl === undefined)('two workers on one Postgres (TEST_DATABASE_URL)', () => {
  const undo: (() => Promise<unknown> | unknown)[] = []
  let home: StoreHome
  let store: RequestStore
  let wallet: Wallet
  let gateway: CrossquoteProcess
  let startWorker: () => Promise<Worker>
  let first: Worker
  let second: Worker

  beforeAll(async () => {
    const directory = mkdtempSync(join(tmpdir(), 'leadership-'))
    undo.push(() => rmSync(directory, { recursive: true, force: true }))
    const log = createLog('silent')
    const devnet = await startDevnet({ log, directory, firstPort: 0, ...testPace })
    undo.push(devnet.stop)
    home = await createPostgresHome()
    undo.push(home.remove)
    store = await home.open()
    undo.push(store.close)
    wallet = createWallet(devnet.description, users[0])
    const configPath = join(directory, 'devnetConfig.json')
    const databaseUrl = new URL(home.where.databaseUrl ?? '')
    const start = (env: Readonly<Record<string, string>>) => {
      const started = spawnCrossquote({
        CONFIG: configPath,
        DATABASE_URL: databaseUrl.href,
        ...env,
      })
      undo.push(started.kill)
      return started
    }
    let workers = 0
    startWorker = async () => {
      workers += 1
      const host = { host: databaseUrl.hostname, port: Number(databaseUrl.port) }
      const network = await startTcpProxy(host)
      undo.push(network.stop)
      const ownUrl = new URL(databaseUrl)
      ownUrl.hostname = '127.0.0.1'
      ownUrl.port = `${network.port}`
      const chain = devnet.description.chains.find(({ id }) => id === destination)
      const rpc = await startRpcProxy(chain?.rpcUrl ?? '')
      undo.push(rpc.stop)
      const path = join(directory, `worker${workers}.json`)
      writeFileSync(path, JSON.stringify(behindProxy(configPath, rpc)))
      const started = start({
        ROLES: 'tracker,solver',
        CONFIG: path,
        DATABASE_URL: ownUrl.href,
        ...devnetKeys,
      })
      return { ...started, network, rpc }
    }
    gateway = start({ ROLES: 'gateway' })
    first = await startWorker()
    await leadsAll(first)
    second = await startWorker()
    const url = await gateway.url()
    await vi.waitUntil(async () => (await fetch(`${url}/ready`)).ok, patience)
    await standsBy(second)
  })
  afterAll(async () => {
    for (const each of undo.splice(0).reverse()) await each()
  })

  /** Asks for a quote and pays for it. */
  async function pay() {
    const recipient = newAccount()
    const input = {
      user: wallet.address,
      recipient,
      amount: `${10n ** 17n}`,
      tradeType: 'EXACT_INPUT',
      originChainId: origin,
      originCurrency: nativeAddress,
      destinationChainId: destination,
      destinationCurrency: nativeAddress,
    }
    const client = createGraphqlClient(await gateway.url())
    const { data, errors } = await client.query<Quoted, object>(quoteQuery, { input })
    if (data == null) throw new Error(JSON.stringify(errors))
    const { requestId, steps, details } = data.quote
    await wallet.execute(steps)
    return { requestId, recipient, output: BigInt(details.currencyOut.amount) }
  }

  const fillsOf = async (requestId: Hash) =>
    (await store.transactionsOf(requestId)).filter(({ purpose }) => purpose === 'fill')

  /** Waits until the request has ended, and checks that it was paid once. */
  async function paidOnce({ requestId, recipient, output }: Awaited<ReturnType<typeof pay>>) {
    await vi.waitUntil(
      async () => (await store.find(requestId))?.state.status === 'success',
      patience,
    )
    expect((await fillsOf(requestId)).map(({ status }) => status)).toEqual(['final'])
    expect(await wallet.clientOn(destination).getBalance({ address: recipient })).toBe(output)
  }

  it('a frozen leader is replaced, and pays nothing twice when it wakes', async () => {
    const sent = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    // The leader has looked at its lease for the last time, and the transaction is on its way.
    first.rpc.behave({
      before: async ({ method }) => {
        if (method !== 'eth_sendRawTransaction') return
        sent.resolve()
        await released.promise
      },
    })
    const paying = await pay()
    await sent.promise
    first.freeze()
    await leadsAll(second)
    await paidOnce(paying)
    const { attempts = [] } = (await fillsOf(paying.requestId))[0] ?? {}
    released.resolve()
    first.rpc.behave('pass')
    first.thaw()
    await standsBy(first)
    expect(await figureOf(first, 'crossquote_lease_lost_total')).toBeGreaterThanOrEqual(duties)
    const next = await pay()
    await Promise.all([paidOnce(paying), paidOnce(next)])
    expect((await fillsOf(paying.requestId))[0]?.attempts).toEqual(attempts)
  })

  it('a leader that is cut off from the database is replaced, and is a standby once it is back', async () => {
    second.network.hang()
    await leadsAll(first)
    await paidOnce(await pay())
    second.network.heal()
    await standsBy(second)
    await paidOnce(await pay())
  })

  it('a killed leader is replaced', async () => {
    const paying = await pay()
    await first.kill()
    await leadsAll(second)
    await paidOnce(paying)
  })
})

/** The configuration with the destination chain behind the proxy. */
function behindProxy(path: string, { url }: RpcProxy): ConfigInput {
  const config = JSON.parse(readFileSync(path, 'utf8'))
  const chains = config.chains.map(({ wsUrl, ...chain }: { id: number; wsUrl: string }) =>
    chain.id === destination ? { ...chain, rpcUrls: [url] } : { ...chain, wsUrl },
  )
  return { ...config, chains }
}
