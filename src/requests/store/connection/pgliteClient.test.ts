import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { waitLimitMs } from '#test/support/patience.ts'
import { makeStoreDirectory } from '#test/support/store/storeDirectory.ts'
import { type PgliteClient, startPglite } from './pgliteClient.ts'

const run = (client: PgliteClient, text: string) => client.ask({ text, params: [] })

it('ends a database that does not answer, which then opens again with what it had committed', async () => {
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
