import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { createLog } from '#src/config/log.ts'
import { startDevnet } from '#src/devnet/startDevnet.ts'
import { testPace } from '#test/support/chains/pace.ts'
import { codeBlocks } from '#test/support/clients/documents.ts'
import { createGraphqlClient } from '#test/support/clients/graphqlClient.ts'
import { freePort } from '#test/support/freePort.ts'
import { patience } from '#test/support/patience.ts'
import { spawnCrossquote } from '#test/support/processes/crossquoteProcess.ts'
import { runDemoProcess } from '#test/support/processes/demoProcess.ts'
import { devnetKeys } from '#test/support/processes/devnetKeys.ts'

/** Where Debian has the programs of a Postgres server. They refuse to run as root. */
const programs = globSync('/usr/lib/postgresql/*/bin').at(-1)
const isRoot = process.getuid?.() === 0
const idOf = (option: string) =>
  Number(spawnSync('id', [option, 'postgres'], { encoding: 'utf8' }).stdout)
const user = isRoot ? { uid: idOf('-u'), gid: idOf('-g') } : {}
const canRun = programs !== undefined && (!isRoot || user.uid !== 0)

const undo: (() => unknown)[] = []
afterAll(async () => {
  for (const each of undo.splice(0).reverse()) await each()
})

describe.skipIf(!canRun)(
  'docs/operations.md on backups (the programs of a Postgres server)',
  () => {
    const [backup = '', restore = ''] = codeBlocks('sh', ['docs/operations.md'])
      .map(({ text }) => text)
      .filter((text) => text.includes('$BACKUP'))

    it('restores what was acknowledged until the server and its disk were gone', async () => {
      const directory = mkdtempSync(join(tmpdir(), 'restore-'))
      undo.push(() => rmSync(directory, { recursive: true, force: true }))
      chmodSync(directory, 0o777)
      const [port, restoredPort] = [await freePort(), await freePort()]
      const urlAt = (at: number) => `postgres://postgres@127.0.0.1:${at}/postgres`
      const env = {
        PATH: `${programs}:/usr/bin:/bin`,
        DATABASE_URL: urlAt(port),
        BACKUP: join(directory, 'backup'),
        RESTORED: join(directory, 'restored'),
        RESTORED_PORT: String(restoredPort),
      }
      const options = { env, ...user, cwd: directory, stdio: 'ignore' } as const
      const bash = (text: string) => {
        const log = join(directory, 'commands')
        const { status } = spawnSync('bash', ['-ec', `exec > ${log} 2>&1\n${text}`], options)
        if (status !== 0) throw new Error(readFileSync(log, 'utf8'))
      }
      const stopServer = (data: string) => () =>
        spawnSync('pg_ctl', ['-D', data, '-m', 'immediate', 'stop'], options)

      const data = join(directory, 'data')
      bash(`initdb -D ${data} -U postgres -A trust
echo "unix_socket_directories = ''" >> ${data}/postgresql.conf
pg_ctl -D ${data} -o '-p ${port}' -l ${directory}/log -w start`)
      undo.push(stopServer(data))

      const devnet = await startDevnet({
        log: createLog('silent'),
        directory,
        firstPort: 0,
        ...testPace,
      })
      undo.push(devnet.stop)
      const CONFIG = join(directory, 'config.json')
      writeFileSync(CONFIG, JSON.stringify(devnet.config))
      const start = (at: number) => {
        const started = spawnCrossquote({ CONFIG, DATABASE_URL: urlAt(at), ...devnetKeys })
        undo.push(started.kill)
        return started
      }
      const demo = (url: string) =>
        runDemoProcess([
          ...['--url', url, '--devnet', join(directory, 'devnet.json')],
          ...['--amount', '0.01'],
        ])

      const first = start(port)
      const firstUrl = await first.ready()
      await demo(firstUrl)
      // The log receiver of the block runs in the background, as a service would.
      mkdirSync(env.BACKUP)
      chmodSync(env.BACKUP, 0o777)
      const receiver = spawn('bash', ['-ec', `${backup}\nwait`], { ...options, detached: true })
      const stopReceiver = async () => {
        if (receiver.exitCode !== null || receiver.signalCode !== null) return
        process.kill(-(receiver.pid ?? Number.NaN))
        await once(receiver, 'close')
      }
      undo.push(stopReceiver)
      await vi.waitUntil(
        () =>
          spawnSync('psql', [urlAt(port), '-Atc', 'show synchronous_standby_names'], {
            env,
            encoding: 'utf8',
          }).stdout === 'pg_receivewal\n',
        patience,
      )
      const paid = await demo(firstUrl)
      const requestId = /0x[0-9a-f]{64}/.exec(paid)?.[0] ?? ''
      await first.kill()
      stopServer(data)()
      rmSync(data, { recursive: true })
      process.kill(-(receiver.pid ?? Number.NaN))
      await once(receiver, 'close')

      bash(restore)
      undo.push(stopServer(env.RESTORED))
      for (const { id } of devnet.config.chains) {
        const args = ['src/cli/reconcile/reconcile.ts', '--config', CONFIG, '--chain', String(id)]
        const said = execFileSync(process.execPath, args, {
          env: { PATH: dirname(process.execPath), DATABASE_URL: urlAt(restoredPort) },
          encoding: 'utf8',
        })
        expect(said).toContain('The database has every transaction of the account.')
      }
      const second = start(restoredPort)
      const secondUrl = await second.ready()
      const answer = await createGraphqlClient(secondUrl).post({
        query: `{ requestStatus(requestId: "${requestId}") { status } }`,
      })
      expect(await answer.json()).toEqual({ data: { requestStatus: { status: 'success' } } })
      expect(await demo(secondUrl)).toContain('success')
    })
  },
)
