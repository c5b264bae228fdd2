import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLog } from '#src/config/log.ts'
import { startDevnet } from '#src/devnet/startDevnet.ts'
import { testPace } from '#test/support/chains/pace.ts'
import { createGraphqlClient } from '#test/support/clients/graphqlClient.ts'
import { spawnCrossquote } from '#test/support/processes/crossquoteProcess.ts'
import { runDemoProcess } from '#test/support/processes/demoProcess.ts'
import { devnetKeys } from '#test/support/processes/devnetKeys.ts'
import { createPostgresHome, serverUrl } from '#test/support/store/storeHome.ts'

const folder = 'src/requests/store/migrations'
const migrations = globSync(`${folder}/*.sql`).sort()

describe('migrations', () => {
  it('only add, so that the previous version can run on the new tables', () => {
    // The first one makes the tables.
    for (const path of migrations.slice(1)) {
      const statements = readFileSync(path, 'utf8').split(/;|--> statement-breakpoint/)
      for (const statement of statements.map((each) => each.trim()).filter((each) => each !== ''))
        expect(statement).toMatch(
          /^(create (table|(unique )?index)|alter table \S+ add column (?!.*not null(?!.*default)))/i,
        )
    }
  })
})

/** The commit before the newest migration: the last version that does not know the newest tables. */
const previous = spawnSync(
  'git',
  ['log', '-1', '--diff-filter=A', '--format=%H^', '--', migrations.at(-1) ?? ''],
  { encoding: 'utf8' },
).stdout.trim()
const hasPrevious =
  previous !== '' && spawnSync('git', ['cat-file', '-e', `${previous}:src/main.ts`]).status === 0

describe.skipIf(serverUrl === undefined || !hasPrevious)(
  'the previous version (TEST_DATABASE_URL, and the history of the repository)',
  () => {
    const undo: (() => unknown)[] = []
    afterAll(async () => {
      for (const each of undo.splice(0).reverse()) await each()
    })
    const directory = mkdtempSync(join(tmpdir(), 'previous-'))
    undo.push(() => rmSync(directory, { recursive: true, force: true }))
    const old = join(directory, 'old')
    let shared: Readonly<Record<string, string>>

    beforeAll(async () => {
      const archive = join(directory, 'old.tar')
      execFileSync('git', [
        'archive',
        '--prefix=old/',
        '-o',
        archive,
        previous,
        'src',
        'package.json',
      ])
      execFileSync('tar', ['-xf', archive, '-C', directory])
      symlinkSync(resolve('node_modules'), join(old, 'node_modules'))
      const devnet = await startDevnet({
        log: createLog('silent'),
        directory,
        firstPort: 0,
        ...testPace,
      })
      undo.push(devnet.stop)
      const CONFIG = join(directory, 'config.json')
      writeFileSync(CONFIG, JSON.stringify(devnet.config))
      const home = await createPostgresHome()
      undo.push(home.remove)
      shared = { CONFIG, DATABASE_URL: home.where.databaseUrl ?? '' }
    })

    const start = (roles: string, script?: string) => {
      const env = { ...shared, ROLES: roles, ...(roles.includes('solver') && devnetKeys) }
      const started = spawnCrossquote(env, script)
      undo.push(started.kill)
      return started
    }
    const swap = async (url: string): Promise<string> => {
      const args = ['--url', url, '--devnet', join(directory, 'devnet.json')]
      const output = await runDemoProcess([...args, '--amount', '0.01'])
      expect(output).toContain('success')
      return /0x[0-9a-f]{64}/.exec(output)?.[0] ?? ''
    }

    it('serves alongside the new one on the migrated tables, and takes over again', async () => {
      const next = start('gateway,tracker,solver')
      const nextUrl = await next.ready()
      const gateway = start('gateway', join(old, 'src/main.ts'))
      const oldUrl = await gateway.ready()
      await swap(oldUrl)
      const requestId = await swap(nextUrl)
      const { post } = createGraphqlClient(oldUrl)
      const answer = await post({
        query: `{ requestStatus(requestId: "${requestId}") { status } }`,
      })
      expect(await answer.json()).toEqual({ data: { requestStatus: { status: 'success' } } })
      next.terminate()
      await next.ended
      start('tracker,solver', join(old, 'src/main.ts'))
      await swap(oldUrl)
    })
  },
)
