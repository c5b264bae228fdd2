import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import { expect, it } from 'vitest'
import { migrationsFolder } from './database.ts'

it('the migrations lead to the tables: `npm run migrations` has nothing to add', async () => {
  const read = (name: string) =>
    JSON.parse(readFileSync(join(migrationsFolder, 'meta', name), 'utf8'))
  const last = read('_journal.json').entries.length - 1
  const stored = read(`${String(last).padStart(4, '0')}_snapshot.json`)
  const wanted = generateDrizzleJson(await readTables(), stored.id)
  expect(await generateMigration(stored, wanted)).toEqual([])
})

/** As drizzle-kit finds them, by drizzle.config.ts. */
async function readTables() {
  const files = globSync(join(migrationsFolder, '..', '*Table.ts'))
  return Object.assign({}, ...(await Promise.all(files.map((file) => import(resolve(file))))))
}
