import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from 'graphql-ws'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { createLog } from '#src/config/log.ts'
import { nativeAddress } from '#src/core/units/address.ts'
import { users } from '#src/devnet/accounts.ts'
import { type Devnet, startDevnet } from '#src/devnet/startDevnet.ts'
import { testPace } from '#test/support/chains/pace.ts'
import { createGraphqlClient } from '#test/support/clients/graphqlClient.ts'
import { readEventStream } from '#test/support/clients/readEventStream.ts'
import { waitLimitMs } from '#test/support/patience.ts'
import {
  type CrossquoteProcess,
  spawnCrossquote,
} from '#test/support/processes/crossquoteProcess.ts'
import { devnetKeys } from '#test/support/processes/devnetKeys.ts'
import { times } from '#test/support/runs.ts'
import { createPostgresHome, type StoreHome, serverUrl } from '#test/support/store/storeHome.ts'
import { newAccount } from '#test/support/wallets/newAccount.ts'
import { createWallet, type Wallet } from '#test/support/wallets/wallet.ts'

// biome-ignore lint/style/noProcessEnv: vitest passes on only the variables that start with VITE_.
const redisUrl = process.env['TEST_REDIS_URL']

const undo: (() => Promise<unknown> | unknown)[] = []
/** To read the metrics of a process takes some of its time. */
const patience = { timeout: waitLimitMs, interval: 200 }
const [origin, destination] = [990001, 990002] as const

const quoteQuery = `query Quote($input: QuoteInput!) {
  quote(input: $input) {
    requestId
    steps { items { data { to data value chainId gas maxFeePerGas maxPriorityFeePerGas } } }
    details { currencyOut { amount } }
  }
}`
const watchQuery =
  'subscription Watch($id: RequestId!) { requestStatus(requestId: $id) { seq status } }'

type StatusEvent = Readonly<{ seq: number; status: string }>
type Answer = Readonly<{ data?: Readonly<{ requestStatus: StatusEvent }> | null; errors?: unknown }>

/** The events that a gateway sends to its subscribers of one request until it ends, by either transport. */
async function* bySocket(url: string, id: string): AsyncGenerator<Answer> {
  const client = createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
  })
  try {
    yield* client.iterate({ query: watchQuery, variables: { id } }) as AsyncIterable<Answer>
  } finally {
    await client.dispose()
  }
}

async function* byEvents(url: string, id: string): AsyncGenerator<Answer> {
  const response = await createGraphqlClient(url).post(
    { query: watchQuery, variables: { id } },
    { accept: 'text/event-stream' },
  )
  for await (const { event, data } of readEventStream(response)) {
    if (event === 'complete') return
    yield data as Answer
  }
  throw new Error('The stream ends without its last word')
}

/** Subscribes to a request. `begun` resolves with the first event. */
async function follow(answers: AsyncGenerator<Answer>) {
  const heard: StatusEvent[] = []
  const take = ({ data, errors }: Answer) => {
    if (data == null) throw new Error(JSON.stringify(errors))
    heard.push(data.requestStatus)
  }
  const first = await answers.next()
  if (first.done !== true) take(first.value)
  const all = (async () => {
    for await (const answer of answers) take(answer)
    return heard
  })()
  // The caller that awaits `ended` sees the failure. If there is none, the test has already failed.
  all.catch(() => undefined)
  return { all }
}

/** The value of a Prometheus metric by its labels. */
async function figureOf(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`))
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)
}

/** Three trackers, three solvers, three relayers and the webhooks. */
const duties = 10
const leads = (url: string) => figureOf(url, 'crossquote_leads')

const readyAt = async (started: CrossquoteProcess): Promise<string> => {
  const url = await started.url()
  await vi.waitUntil(async () => (await fetch(`${url}/ready`)).ok, patience)
  return url
}

describe.skipIf(serverUrl === undefined || redisUrl === undefined)(
  'several processes on one Postgres and one Redis (TEST_DATABASE_URL, TEST_REDIS_URL)',
  () => {
    let devnet: Devnet
    let home: StoreHome
    let wallet: Wallet
    let start: (roles: string) => CrossquoteProcess
    let breakRedis: () => Promise<unknown>
    let gateways: readonly CrossquoteProcess[]
    let urls: readonly string[]
    let leader: CrossquoteProcess
    let standby: CrossquoteProcess

    beforeAll(async () => {
      const directory = mkdtempSync(join(tmpdir(), 'crossquote-'))
      undo.push(() => rmSync(directory, { recursive: true, force: true }))
      devnet = await startDevnet({ log: createLog('silent'), directory, firstPort: 0, ...testPace })
      undo.push(devnet.stop)
      home = await createPostgresHome()
      undo.push(home.remove)
      wallet = createWallet(devnet.description, users[0])
      // A separate Redis user identifies their connections.
      const redis = new Redis(redisUrl ?? '')
      const user = `crossquote-${randomUUID()}`
      const ownUrl = new URL(redisUrl ?? '')
      ownUrl.username = user
      ownUrl.password = user
      await redis.call('ACL', 'SETUSER', user, 'on', `>${user}`, '~*', '&*', '+@all')
      undo.push(async () => {
        await redis.call('ACL', 'DELUSER', user)
        await redis.quit()
      })
      breakRedis = () => redis.call('CLIENT', 'KILL', 'USER', user)
      start = (roles) => {
        const started = spawnCrossquote({
          ROLES: roles,
          CONFIG: join(directory, 'devnetConfig.json'),
          DATABASE_URL: home.where.databaseUrl ?? '',
          REDIS_URL: ownUrl.href,
          ...(roles.includes('solver') && devnetKeys),
        })
        undo.push(started.kill)
        return started
      }
      leader = start('tracker,solver')
      gateways = [start('gateway'), start('gateway')]
      await readyAt(leader)
      standby = start('tracker,solver')
      urls = await Promise.all(gateways.map(readyAt))
      await readyAt(standby)
    })
    afterAll(async () => {
      for (const each of undo.splice(0).reverse()) await each()
    })

    /** Requests a quote from one gateway and follows it at the other one, by both transports. */
    async function ask(at: number) {
      const recipient = newAccount()
      const amount = `${10n ** 17n + BigInt(at)}`
      const input = {
        user: wallet.address,
        recipient,
        amount,
        tradeType: 'EXACT_INPUT',
        originChainId: origin,
        originCurrency: nativeAddress,
        destinationChainId: destination,
        destinationCurrency: nativeAddress,
      }
      const [quoting = '', other = ''] = at % 2 === 0 ? urls : urls.toReversed()
      const client = createGraphqlClient(quoting)
      const { data, errors } = await client.query<Quoted, object>(quoteQuery, {
        input,
      })
      if (data == null) throw new Error(JSON.stringify(errors))
      const { requestId, steps, details } = data.quote
      const following = await Promise.all(
        [bySocket, byEvents].map((watch) => follow(watch(other, requestId))),
      )
      const output = BigInt(details.currencyOut.amount)
      return { requestId, recipient, steps, output, following }
    }

    /** Waits for the end of requests, but not when a process that should serve them has ended. */
    async function finish(asked: Parameters<typeof check>[0]): Promise<void> {
      const ends = [...gateways, standby].map(async ({ ended }) => {
        throw new Error(`A process has ended: ${await ended}`)
      })
      for (const each of ends) each.catch(() => undefined)
      await Promise.race([check(asked), ...ends])
    }

    /** Checks that the other gateway sent each change once and in order, and that each request was paid once. */
    async function check(asked: readonly Awaited<ReturnType<typeof ask>>[]): Promise<void> {
      const store = await home.open()
      try {
        for (const { requestId, recipient, output, following } of asked) {
          const [events = [], again] = await Promise.all(following.map((each) => each.all))
          expect(events.map(({ seq }) => seq)).toEqual(events.map((_, seq) => seq))
          const statuses = events.map(({ status }) => status)
          expect(statuses.filter((status, index) => status !== statuses[index - 1])).toEqual([
            ...['waiting', 'pending', 'submitted', 'success'],
          ])
          expect(again).toEqual(events)
          const fills = await store.transactionsOf(requestId)
          expect(fills.map(({ purpose, status }) => [purpose, status])).toEqual([['fill', 'final']])
          const client = wallet.clientOn(destination)
          expect(await client.getBalance({ address: recipient })).toBe(output)
        }
      } finally {
        await store.close()
      }
    }

    it('a subscriber at one gateway gets each change once for a request quoted at the other', async () => {
      const [leaderUrl, standbyUrl] = await Promise.all([leader.url(), standby.url()])
      expect([await leads(leaderUrl), await leads(standbyUrl)]).toEqual([duties, 0])
      const asked = [await ask(0), await ask(1)]
      for (const { steps } of asked) await wallet.execute(steps)
      await finish(asked)
    })

    it('a standby takes over from a killed leader, and each deposit is paid once', async () => {
      const standbyUrl = await standby.url()
      const asked = []
      for (let at = 0; at < times(8, 4); at += 1) asked.push(await ask(at))
      for (const [at, { steps }] of asked.entries()) {
        await wallet.execute(steps)
        if (at === 1) await leader.kill()
      }
      await vi.waitUntil(async () => (await leads(standbyUrl)) === duties, patience)
      await finish(asked)
      expect((await fetch(`${standbyUrl}/ready`)).status).toBe(200)
    })

    it('no event is lost and every request ends although all connections break repeatedly', async () => {
      const standbyUrl = await standby.url()
      const asked = []
      for (let at = 0; at < times(8, 5); at += 1) asked.push(await ask(at))
      for (const [at, { steps }] of asked.entries()) {
        await wallet.execute(steps)
        if (at % 3 !== 1) continue
        await vi.waitUntil(async () => (await leads(standbyUrl)) === duties, patience)
        expect(await breakRedis()).toBeGreaterThan(0)
        expect(await home.query(breakPostgres)).not.toEqual([])
      }
      await finish(asked)
    })

    it('each process exits on SIGTERM while it has work in progress', async () => {
      const other = start('tracker,solver')
      await readyAt(other)
      const asked = []
      for (let at = 0; at < 4; at += 1) asked.push(await ask(at))
      for (const { steps } of asked.slice(0, 2)) await wallet.execute(steps)
      const all = [...gateways, other, standby]
      for (const each of all) each.terminate()
      expect(await Promise.all(all.map(({ ended }) => ended))).toEqual([0, 0, 0, 0])
    })
  },
)

const breakPostgres = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`

type Quoted = Readonly<{
  quote: Readonly<{
    requestId: `0x${string}`
    steps: Parameters<Wallet['execute']>[0]
    details: Readonly<{ currencyOut: Readonly<{ amount: string }> }>
  }>
}>
