import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createLog } from '#src/config/log.ts'
import { nativeAddress } from '#src/core/units/address.ts'
import { users } from '#src/devnet/accounts.ts'
import { createAnvilClient } from '#src/devnet/chain/anvilProcess.ts'
import { type Devnet, startDevnet } from '#src/devnet/startDevnet.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { isTerminal } from '#src/requests/state/requestState.ts'
import { testPace } from '#test/support/chains/pace.ts'
import { createGraphqlClient } from '#test/support/clients/graphqlClient.ts'
import { waitLimitMs } from '#test/support/patience.ts'
import {
  type CrossquoteProcess,
  spawnCrossquote,
} from '#test/support/processes/crossquoteProcess.ts'
import { isLong, times } from '#test/support/runs.ts'
import { type StoreHome, storeHomes } from '#test/support/store/storeHome.ts'
import { newAccount } from '#test/support/wallets/newAccount.ts'
import { createWallet, type Wallet } from '#test/support/wallets/wallet.ts'

const [origin, destination] = [990001, 990002] as const
/** Each check waits for two answers of a process. */
const patience = { timeout: waitLimitMs, interval: 200 }

/** Number of clients that ask for one quote after the other, and number of answers after which the gateway is killed. */
const burst = { clients: times(100, 30), answered: times(100, 30) }

/** When a solver is killed: just before or just after it saves a change of this kind. */
const moments = ['credit', 'fill', 'due', 'refund', 'mined', 'final'].flatMap((kind) => [
  `${kind}:before`,
  `${kind}:after`,
])

/**
 * `npm run test:all` covers two moments, chosen by the seed of the property tests and divided among the stores, and 8
 * deposits. `npm run test:long` covers every moment on each store, and 100 deposits. `test/solver/faults.test.ts` stops a
 * solver at every save, within its process.
 */
const [chosen = moments] = fc.sample(
  fc.shuffledSubarray(moments, { minLength: 2, maxLength: 2 }),
  1,
)
const momentsOn = (store: string): readonly string[] => {
  if (isLong) return moments
  return chosen.filter((_, at) => storeHomes[at % storeHomes.length]?.[0] === store)
}
const depositCount = times(100, 8)

const quoteQuery = `query Quote($input: QuoteInput!) {
  quote(input: $input) {
    requestId
    steps { items { data { to data value chainId gas maxFeePerGas maxPriorityFeePerGas } } }
    details { currencyOut { amount } }
  }
}`

/** The user who pays for requests. All other users only request quotes. */
const [payer, ...others] = users

const openQuery = `{
  requests(user: "${payer.address}", status: [waiting, pending, submitted], first: 1) { edges { node { requestId } } }
}`

type Steps = Parameters<Wallet['execute']>[0]

type Quoted = Readonly<{
  quote: Readonly<{
    requestId: `0x${string}`
    steps: Steps
    details: Readonly<{ currencyOut: Readonly<{ amount: string }> }>
  }>
}>

/** A request that the test pays for, and the output that its recipient must get. */
type Paid = Readonly<{
  requestId: `0x${string}`
  recipient: `0x${string}`
  amount: bigint
  output: bigint
  steps: Steps
  isRefunded: boolean
}>

async function quote(url: string, changes: object): Promise<Quoted['quote']> {
  const input = {
    user: payer.address,
    originChainId: origin,
    originCurrency: nativeAddress,
    destinationChainId: destination,
    destinationCurrency: nativeAddress,
    tradeType: 'EXACT_INPUT',
    ...changes,
  }
  const client = createGraphqlClient(url)
  const { data, errors } = await client.query<Quoted, object>(quoteQuery, { input })
  if (data == null) throw new Error(JSON.stringify(errors))
  return data.quote
}

/** Quotes a bridge of native currency. Every fourth request forces a refund. */
async function quotePaid(url: string, at: number): Promise<Paid> {
  const recipient = newAccount()
  const amount = 10n ** 17n + BigInt(at)
  const isRefunded = at % 4 === 3
  const referrer = isRefunded ? { referrer: 'debug-force-refund' } : {}
  const { requestId, steps, details } = await quote(url, {
    recipient,
    amount: `${amount}`,
    ...referrer,
  })
  const output = BigInt(details.currencyOut.amount)
  return { requestId, recipient, amount, output, steps, isRefunded }
}

/** Kills the gateway while clients ask it for quotes. Returns the request ids that they received. */
async function killInBurst(gateway: CrossquoteProcess, url: string): Promise<readonly string[]> {
  const received: string[] = []
  async function askUntilKilled(client: number): Promise<void> {
    const user = others[client % others.length]?.address
    for (let amount = 10n ** 16n + BigInt(client); ; amount += BigInt(burst.clients)) {
      const answer = await quote(url, { user, amount: `${amount}` }).catch(() => undefined)
      if (answer === undefined) return
      received.push(answer.requestId)
    }
  }
  const clients = Array.from({ length: burst.clients }, (_, client) => askUntilKilled(client))
  await vi.waitUntil(() => received.length >= burst.answered, { ...patience, interval: 1 })
  await gateway.kill()
  await Promise.all(clients)
  return received
}

const clientOf = ({ description }: Devnet, chainId: number) =>
  createAnvilClient(description.chains.find(({ id }) => id === chainId)?.rpcUrl ?? '')

const isReady = async (url: string): Promise<boolean> => (await fetch(`${url}/ready`)).ok

async function isDone(url: string): Promise<boolean> {
  type Open = Readonly<{ requests: Readonly<{ edges: readonly unknown[] }> }>
  const { data } = await createGraphqlClient(url).query<Open, object>(openQuery, {})
  return data?.requests.edges.length === 0
}

/** Resolves with the moment at which the process killed itself, or with undefined once no request is open. */
async function crashOf(worker: CrossquoteProcess): Promise<string | undefined> {
  const crash = () => /killed at (\S+)/.exec(worker.log())?.[1]
  const url = () => /http:\/\/localhost:\d+/.exec(worker.log())?.[0]
  const no = (): boolean => false
  await vi.waitUntil(async () => {
    if (crash() !== undefined) return true
    const at = url()
    // A process that has just been killed does not answer.
    return at !== undefined && (await isReady(at).catch(no)) && (await isDone(at).catch(no))
  }, patience)
  return crash()
}

/** Checks that the states follow each other without a gap, and that only the last one is terminal. */
async function checkHistory(store: RequestStore, requestId: string): Promise<void> {
  const changes = await store.changesAfter(requestId, 0)
  const statuses = changes.map(({ state }) => state.status)
  expect(changes.map(({ state }) => state.seq)).toEqual(changes.map((_, at) => at + 1))
  expect(statuses.slice(0, -1).filter(isTerminal)).toEqual([])
  expect(statuses.slice(-1).filter(isTerminal)).toHaveLength(1)
}

describe.each(storeHomes)('killed processes, with a store on %s', (kind, createHome) => {
  const undo: (() => Promise<unknown> | unknown)[] = []
  let home: StoreHome
  let devnet: Devnet
  let run: (env: Readonly<Record<string, string>>) => CrossquoteProcess
  const paid: Paid[] = []
  let received: readonly string[]
  beforeAll(async () => {
    home = await createHome()
    undo.push(home.remove)
    const directory = mkdtempSync(join(tmpdir(), 'crossquote-'))
    undo.push(() => rmSync(directory, { recursive: true, force: true }))
    const log = createLog('silent')
    devnet = await startDevnet({ log, directory, firstPort: 0, ...testPace })
    undo.push(devnet.stop)
    const { databaseUrl } = home.where
    run = (env) => {
      const worker = spawnCrossquote(
        {
          CONFIG: join(directory, 'devnetConfig.json'),
          DATA_DIRECTORY: home.where.directory,
          ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
          ...env,
        },
        'test/support/processes/crashingWorker.ts',
      )
      undo.push(worker.kill)
      return worker
    }
    const gateway = run({ ROLES: 'gateway' })
    const url = await gateway.url()
    await vi.waitUntil(() => isReady(url), patience)
    for (let at = 0; at < depositCount; at += 1) paid.push(await quotePaid(url, at))
    received = await killInBurst(gateway, url)
  })
  afterAll(async () => {
    for (const each of undo.splice(0).reverse()) await each()
  })

  it('the store has every quote that a client received before the gateway was killed', async () => {
    const store = await home.open()
    const lost: string[] = []
    for (const id of received) if ((await store.find(id)) === undefined) lost.push(id)
    await store.close()
    expect(lost).toEqual([])
  })

  it('each deposit is paid or refunded exactly once although the solver was killed', async () => {
    const wallet = createWallet(devnet.description, payer)
    for (let at = 0; at < paid.length; at += 10) {
      const steps = paid.slice(at, at + 10).flatMap((each) => each.steps)
      await wallet.executeAtOnce(origin, steps)
    }

    const remaining = new Set(momentsOn(kind))
    while (remaining.size > 0) {
      const worker = run({ CRASH_AT: [...remaining].join(' ') })
      const moment = await crashOf(worker)
      expect([...remaining]).toContain(moment)
      expect(await worker.ended).toBe('SIGKILL')
      remaining.delete(moment ?? '')
    }
    const last = run({})
    expect(await crashOf(last)).toBeUndefined()
    await last.kill()

    const store = await home.open()
    const origins = clientOf(devnet, origin)
    const destinations = clientOf(devnet, destination)
    for (const { requestId, recipient: address, amount, output, isRefunded } of paid) {
      await checkHistory(store, requestId)
      const found = await store.find(requestId)
      expect(found?.state).toMatchObject(isRefunded ? { status: 'refund' } : { status: 'success' })
      const deposits = await store.depositsOf(requestId)
      expect(deposits.map((each) => each.amount)).toEqual([amount])
      const refunds = (await store.transactionsOf(requestId))
        .filter(({ purpose, status }) => purpose === 'refund' && status === 'final')
        .flatMap(({ spends }) => spends.map((each) => each.amount))
      expect(refunds).toHaveLength(isRefunded ? 1 : 0)
      expect(await destinations.getBalance({ address })).toBe(isRefunded ? 0n : output)
      expect(await origins.getBalance({ address })).toBe(refunds[0] ?? 0n)
    }
    await store.close()
  })
})
