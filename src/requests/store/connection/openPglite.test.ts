import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { waitLimitMs } from '#test/support/patience.ts'
import { makeStoreDirectory } from '#test/support/store/storeDirectory.ts'
import { type PgliteClient, startPglite } from './openPglite.ts'

const run = (client: PgliteClient, text: string) => client.ask({ text, params: [] })

it('ends a database that does not answer, which then opens again with its committed rows', async () => {
  const directory = await makeStoreDirectory()
  const path = join(directory, 'postgres')
  const first = await startPglite(path)
  await run(first, 'create table kept as select 7 as number')
  await first.close()

  const stuck = await startPglite(path, { openMs: waitLimitMs, answerMs: 1 })
  const endless = run(stuck, 'select count(*) from generate_series(1, 1e12)')
  await expect(endless).rejects.toThrow('The embedded database did not answer')
  expect(stuck.hasEnded()).toBe(true)
  await expect(run(stuck, 'select 1')).rejects.toThrow('The embedded database did not answer')
  await stuck.close()

  const again = await startPglite(path)
  expect(await run(again, 'select number from kept')).toEqual([[['7']]])
  await again.close()
  rmSync(directory, { recursive: true })
})

it('keeps few prepared statements, for any number of different queries', async () => {
  const directory = await makeStoreDirectory()
  const client = await startPglite(join(directory, 'postgres'))
  for (let number = 0; number < 1_000; number += 1)
    expect(await run(client, `select ${number}, 'used again'`)).toEqual([
      [[`${number}`, 'used again']],
    ])
  expect(await run(client, "select 0, 'used again'")).toEqual([[['0', 'used again']]])
  const [rows] = (await run(client, 'select count(*) from pg_prepared_statements')) as string[][][]
  expect(Number(rows?.[0]?.[0])).toBeLessThan(400)
  await client.close()
  rmSync(directory, { recursive: true })
})
