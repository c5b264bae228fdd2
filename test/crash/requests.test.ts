import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { users } from '#src/devnet/accounts.ts'
import { createAnvilClient } from '#src/devnet/anvilClient.ts'
import { type Devnet, startDevnet } from '#src/devnet/startDevnet.ts'
import { createLog } from '#src/log.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { isTerminal } from '#src/requests/state/requestState.ts'
import { nativeAddress } from '#src/units/address.ts'
import { newAccount } from '#test/support/chains/newAccount.ts'
import { createWallet, type Wallet } from '#test/support/chains/wallet.ts'
import { createGraphqlClient } from '#test/support/clients/graphqlClient.ts'
import {
  type CrossquoteProcess,
  spawnCrossquote,
} from '#test/support/processes/crossquoteProcess.ts'
import {
  createPgliteHome,
  createPostgresHome,
  type StoreHome,
  serverUrl,
} from '#test/support/store/storeHome.ts'

const undo: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const each of undo.splice(0).reverse()) await each()
})

const [origin, destination] = [990001, 990002] as const
const patience = { timeout: 120_000, interval: 50 }

const moments = [
  'credit:before',
  'credit:after',
  'fill:before',
  'fill:after',
  'due:before',
  'due:after',
  'refund:before',
  'refund:after',
  'mined:before',
  'mined:after',
  'final:before',
  'final:after',
] as const

const quoteQuery = `query Quote($input: QuoteInput!) {
  quote(input: $input) {
    requestId
    steps { items { data { to data value chainId gas maxFeePerGas maxPriorityFeePerGas } } }
    details { currencyOut { amount } }
  }
}`

const openQuery =
  '{ requests(status: [waiting, pending, submitted], first: 1) { edges { node { requestId } } } }'

type Steps = Parameters<Wallet['execute']>[0]

type Quoted = Readonly<{
  quote: Readonly<{
    requestId: `0x${string}`
    steps: Steps
    details: Readonly<{ currencyOut: Readonly<{ amount: string }> }>
  }>
}>

/** A request, and who is to be paid by it. */
type Asked = Readonly<{
  requestId: `0x${string}`
  recipient: `0x${string}`
  amount: bigint
  output: bigint
  steps: Steps
  isRefunded: boolean
}>

/** Native currency from one chain to the other; every fourth is to be refunded. */
async function ask(url: string, at: number): Promise<Asked> {
  const recipient = newAccount()
  const amount = 10n ** 17n + BigInt(at)
  const isRefunded = at % 4 === 3
  const input = {
    user: users[0].address,
    recipient,
    originChainId: origin,
    originCurrency: nativeAddress,
    destinationChainId: destination,
    destinationCurrency: nativeAddress,
    amount: `${amount}`,
    tradeType: 'EXACT_INPUT',
    ...(isRefunded && { referrer: 'debug-force-refund' }),
  }
  const client = createGraphqlClient(url)
  const { data, errors } = await client.query<Quoted, object>(quoteQuery, { input })
  if (data == null) throw new Error(JSON.stringify(errors))
  const { requestId, steps, details } = data.quote
  return {
    requestId,
    recipient,
    amount,
    output: BigInt(details.currencyOut.amount),
    steps,
    isRefunded,
  }
}

const chainOf = ({ description }: Devnet, chainId: number) =>
  createAnvilClient(description.chains.find(({ id }) => id === chainId)?.rpcUrl ?? '')

const isReady = async (url: string): Promise<boolean> => (await fetch(`${url}/ready`)).ok

const isDone = async (url: string): Promise<boolean> => {
  type Open = Readonly<{ requests: Readonly<{ edges: readonly unknown[] }> }>
  const { data } = await createGraphqlClient(url).query<Open, object>(openQuery, {})
  return data?.requests.edges.length === 0
}

/** Resolves once no request is open, or the process has killed itself: the moment at which. */
async function crashOf(worker: CrossquoteProcess): Promise<string | undefined> {
  const crash = () => /killed at (\S+)/.exec(worker.log())?.[1]
  const url = () => /http:\/\/localhost:\d+/.exec(worker.log())?.[0]
  await vi.waitUntil(async () => {
    if (crash() !== undefined) return true
    const at = url()
    // What does not answer has been killed just now.
    return at !== undefined && (await isReady(at).catch(refuse)) && (await isDone(at).catch(refuse))
  }, patience)
  return crash()
}

const refuse = (): boolean => false

/** That its states are a way through the table: nothing after the end of it, and every `seq` once. */
async function checkHistory(store: RequestStore, requestId: string): Promise<void> {
  const changes = await store.changesAfter(requestId, 0)
  const statuses = changes.map(({ state }) => state.status)
  expect(changes.map(({ state }) => state.seq)).toEqual(changes.map((__, at) => at + 1))
  expect(statuses.slice(0, -1).filter(isTerminal)).toEqual([])
  expect(statuses.slice(-1).filter(isTerminal)).toHaveLength(1)
}

describe.each([
  ['PGlite', createPgliteHome],
  ...(serverUrl === undefined ? [] : [['Postgres', createPostgresHome] as const]),
] as const)('a solver that is killed, on %s', (_, createHome) => {
  it('has paid or refunded each of 100 deposits once in the end, whenever it was killed', async () => {
    const home: StoreHome = await createHome()
    undo.push(home.remove)
    const directory = mkdtempSync(join(tmpdir(), 'crossquote-'))
    undo.push(() => rmSync(directory, { recursive: true, force: true }))
    const devnet = await startDevnet({ log: createLog('silent'), directory, firstPort: 0 })
    undo.push(devnet.stop)
    const { databaseUrl } = home.where
    const run = (env: Record<string, string>): CrossquoteProcess => {
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
    const asked: Asked[] = []
    for (let at = 0; at < 100; at += 1) asked.push(await ask(url, at))
    await gateway.kill()
    const wallet = createWallet(devnet.description, users[0])
    for (let at = 0; at < asked.length; at += 10) {
      const steps = asked.slice(at, at + 10).flatMap((each) => each.steps)
      await wallet.executeAtOnce(origin, steps)
    }

    const left = new Set<string>(moments)
    while (left.size > 0) {
      const worker = run({ CRASH_AT: [...left].join(' ') })
      const moment = await crashOf(worker)
      expect([...left]).toContain(moment)
      expect(await worker.ended).toBe('SIGKILL')
      left.delete(moment ?? '')
    }
    const last = run({})
    expect(await crashOf(last)).toBeUndefined()
    await last.kill()

    const store = await home.open()
    undo.push(store.close)
    const origins = chainOf(devnet, origin)
    const destinations = chainOf(devnet, destination)
    for (const { requestId, recipient: address, amount, output, isRefunded } of asked) {
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
  }, 600_000)
})
