import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { users } from '#src/devnet/accounts.ts'
import { nativeAddress } from '#src/units/address.ts'
import { createGraphqlClient } from '#test/support/clients/graphqlClient.ts'
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

const patience = { timeout: 50_000, interval: 20 }
const burst = 500
/** Answers to wait for before the process is killed: the rest of the burst is under way then. */
const awaited = 100

/** The gateway as operators start it, on a devnet of its own. */
async function startGateway({ where }: StoreHome) {
  const directory = mkdtempSync(join(tmpdir(), 'crossquote-'))
  undo.push(() => rmSync(directory, { recursive: true, force: true }))
  const child = spawn(process.execPath, ['src/main.ts'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: '/usr/bin:/bin',
      PORT: '0',
      DATA_DIRECTORY: where.databaseUrl === undefined ? where.directory : directory,
      ...(where.databaseUrl !== undefined && { DATABASE_URL: where.databaseUrl }),
    },
  })
  let log = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    log += text
  })
  undo.push(() => kill(child))
  const url = await vi.waitUntil(() => /http:\/\/localhost:\d+/.exec(log)?.[0], patience)
  await vi.waitUntil(async () => (await fetch(`${url}/ready`)).ok, patience)
  return { child, url }
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const closed = once(child, 'close')
  child.kill('SIGKILL')
  await closed
}

const query = `query Quote($input: QuoteInput!) { quote(input: $input) { requestId steps { id } } }`

/** The id of a quote that was answered whole; undefined where the gateway died first. */
async function askQuote(url: string, at: number): Promise<string | undefined> {
  const input = {
    user: users[at % users.length]?.address,
    originChainId: 990001,
    originCurrency: nativeAddress,
    destinationChainId: 990002,
    destinationCurrency: nativeAddress,
    amount: `${10n ** 17n + BigInt(at)}`,
    tradeType: 'EXACT_INPUT',
  }
  try {
    type Answered = { quote: { requestId: string } }
    const client = createGraphqlClient(url)
    const { data } = await client.query<Answered, object>(query, { input })
    return data?.quote.requestId
  } catch {
    return undefined
  }
}

describe.each([
  ['PGlite', createPgliteHome],
  ...(serverUrl === undefined ? [] : [['Postgres', createPostgresHome] as const]),
] as const)('a gateway that stores in %s', (_, createHome) => {
  it('has stored every quote that a client received, when it is killed in the middle of a burst', async () => {
    const home = await createHome()
    undo.push(home.remove)
    const { child, url } = await startGateway(home)

    const received: string[] = []
    const asked = Array.from({ length: burst }, async (__, at) => {
      const requestId = await askQuote(url, at)
      if (requestId !== undefined) received.push(requestId)
    })
    await vi.waitUntil(() => received.length >= awaited, { timeout: 60_000, interval: 1 })
    await kill(child)
    await Promise.all(asked)
    expect(received.length).toBeLessThan(burst)

    const store = await home.open()
    undo.push(store.close)
    const found = await Promise.all(received.map(store.find))
    expect(received.filter((__, at) => found[at] === undefined)).toEqual([])
  })
})
