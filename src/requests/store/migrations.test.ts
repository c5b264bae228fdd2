import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'
import { expect, it } from 'vitest'
import { createEmptyHome } from '#test/support/store/storeHome.ts'
import { migrationsFolder } from './connection/database.ts'

it('the migrations match the tables: `npm run migrations` adds nothing', async () => {
  const read = (name: string) =>
    JSON.parse(readFileSync(join(migrationsFolder, 'meta', name), 'utf8'))
  const last = read('_journal.json').entries.at(-1).idx
  const stored = read(`${String(last).padStart(4, '0')}_snapshot.json`)
  const wanted = generateDrizzleJson(await readTables(), stored.id)
  expect(await generateMigration(stored, wanted)).toEqual([])
})

const hash = (digit: string) => `0x${digit.repeat(64)}`
const address = (digit: string) => `0x${digit.repeat(40)}`

it('migrates rows from the time when a request had one deposit', async () => {
  const home = await createEmptyHome()
  const { directory } = home.where
  const client = await PGlite.create(join(directory, 'postgres'))
  const earlier = migrationsUpTo(2)
  await migrate(drizzle(client), { migrationsFolder: earlier })
  rmSync(earlier, { recursive: true })
  const progress = { status: 'waiting' }
  const before = {
    ...{ seq: 1, inTxHashes: [], txHashes: [], steps: [[progress]], fill: progress, updatedAt: 1 },
    status: 'waiting',
  }
  const refunded = { ...before, seq: 2, status: 'refund', failReason: 'SLIPPAGE', refund: progress }
  const order = JSON.stringify({
    ...{ version: 'v1', solverChainId: 'one', solver: address('1'), salt: '1', inputs: [] },
    ...{
      output: { chainId: 'two', payments: [], deadline: 1, calls: [], extraData: '0x' },
      fees: [],
    },
  })
  const fill = JSON.stringify({
    ...{ payoutCurrency: address('0'), payoutAmount: '7', mostPayout: '8' },
    ...{ excludedSwapSources: [], enableTrueExactOutput: false },
  })
  const put = (id: string, execution: string, state: object | null, deposit: string | null) =>
    client.query(
      `insert into requests (request_id, order_id, execution, status, seq, "user", recipient, refund_to,
        origin_chain_id, destination_chain_id, origin_currency, destination_currency, trade_type,
        amount_in, amount_out, minimum_amount_out, deposit_currency, deposit_amount, "order", fill, steps,
        subsidized_usd, created_at, deadline, state, funding_deposit_id)
       values ($1, $1, $2, $3, $4, $5, $5, $6, 1, 2, $7, $7, 'EXACT_INPUT', 10, 9, 8, $8, $9, $10, $11, '[]',
        0, 1, 1, $12, $13)`,
      [
        ...[hash(id), execution, state === null ? 'waiting' : 'refund', state === null ? 0 : 2],
        ...[address('2'), address('3'), address('4')],
        ...(execution === 'solver' ? [address('5'), '11', order, fill] : [null, null, null, null]),
        ...[state === null ? null : JSON.stringify(state), deposit],
      ],
    )
  await put('a', 'solver', refunded, 'one')
  await put('b', 'solver', null, null)
  await put('c', 'user', null, null)
  for (const state of [before, refunded])
    await client.query('insert into request_changes values ($1, $2, $3)', [
      ...[hash('a'), state.seq, JSON.stringify(state)],
    ])
  await client.close()

  const store = await home.open()
  const input = {
    ...{
      chainId: 1,
      user: address('2'),
      refundTo: address('3'),
      currency: address('4'),
      amount: 10n,
    },
    ...{ depositCurrency: address('5'), depositAmount: 11n, leastDeposit: 11n, payoutAmount: 7n },
  }
  const funded = [{ status: 'funded', depositId: 'one' }]
  const { refund, ...rest } = refunded
  expect(await store.find(hash('a'))).toMatchObject({
    inputs: [input],
    state: { ...rest, inputStates: funded, refunds: [refund] },
  })
  expect((await store.changesAfter(hash('a'), 0)).map(({ state }) => state)).toEqual([
    { ...before, inputStates: [{ status: 'open' }] },
    { ...rest, inputStates: funded, refunds: [refund] },
  ])
  expect(await store.find(hash('b'))).toMatchObject({
    inputs: [input],
    state: { inputStates: [{ status: 'open' }] },
  })
  expect((await store.find(hash('c')))?.state).toMatchObject({ inputStates: [] })
  await store.close()
  await home.remove()
})

/** A copy of the folder with only the first migrations. */
function migrationsUpTo(count: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'migrations-'))
  cpSync(migrationsFolder, folder, { recursive: true })
  const path = join(folder, 'meta', '_journal.json')
  const journal = JSON.parse(readFileSync(path, 'utf8'))
  writeFileSync(path, JSON.stringify({ ...journal, entries: journal.entries.slice(0, count) }))
  return folder
}

/** The tables that drizzle.config.ts names. */
async function readTables() {
  const files = globSync(join(migrationsFolder, '..', 'tables', '*Table.ts'))
  return Object.assign({}, ...(await Promise.all(files.map((file) => import(resolve(file))))))
}
