import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import type { Hash } from 'viem'
import { expect, it } from 'vitest'
import { emptyHomes } from '#test/support/store/storeHome.ts'
import { migrationsFolder } from './connection/database.ts'

it('the migrations match the tables: `npm run migrations` adds nothing', async () => {
  const read = (name: string) =>
    JSON.parse(readFileSync(join(migrationsFolder, 'meta', name), 'utf8'))
  const last = read('_journal.json').entries.at(-1).idx
  const stored = read(`${String(last).padStart(4, '0')}_snapshot.json`)
  const wanted = generateDrizzleJson(await readTables(), stored.id)
  expect(await generateMigration(stored, wanted)).toEqual([])
})

const readFixture = (name: string) => readFileSync(`test/support/fixtures/${name}`, 'utf8')

type Rows = Readonly<
  Record<'requests' | 'deposits' | 'transactions', readonly Readonly<{ requestId: Hash }>[]>
>

/** Rows as the fixture has them: amounts as text, in a fixed order. */
const plain = (rows: readonly unknown[]): readonly unknown[] =>
  rows
    .map((row) =>
      JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? `${value}n` : value)),
    )
    .sort()
    .map((row) => JSON.parse(row))

it.each(emptyHomes)(
  'reads a database that was written before the migrations were joined into one, on %s',
  async (_, create) => {
    const home = await create()
    await home.query(readFixture('earlierStore.sql'))
    // A key that reading adds to earlier rows is added here by hand.
    const wanted: Rows = JSON.parse(readFixture('earlierStore.json'))

    const store = await home.open()
    const each = (name: keyof Rows, read: (id: Hash) => Promise<readonly unknown[]>) =>
      Promise.all([...new Set(wanted[name].map(({ requestId }) => requestId))].map(read))
    const found = {
      requests: await each('requests', async (id) => [await store.find(id)]),
      deposits: await each('deposits', store.depositsOf),
      transactions: await each('transactions', store.transactionsOf),
    }
    for (const name of ['requests', 'deposits', 'transactions'] as const)
      expect(plain(found[name].flat()), name).toEqual(plain(wanted[name]))
    await store.close()
    await home.remove()
  },
)

/** The tables that drizzle.config.ts names. */
async function readTables() {
  const files = globSync(join(migrationsFolder, '..', 'tables', '*Table.ts'))
  return Object.assign({}, ...(await Promise.all(files.map((file) => import(resolve(file))))))
}
