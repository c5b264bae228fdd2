import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { readEnvironment } from '#src/config/environment.ts'
import { users } from '#src/devnet/accounts.ts'
import { startServices } from '#src/system/services.ts'
import { patience } from '#test/support/patience.ts'
import { spawnCrossquote } from '#test/support/processes/crossquoteProcess.ts'
import { createSmallDisk } from '#test/support/store/smallDisk.ts'
import { silentLog } from '#test/support/store/storeHome.ts'

const undo: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const each of undo.splice(0).reverse()) await each()
})

function makeDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'start-'))
  undo.push(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** Why the services of these variables do not start. They are not there in a new directory. */
async function refusalOf(variables: Readonly<Record<string, string>>): Promise<string> {
  const directory = join(makeDirectory(), 'data')
  const environment = readEnvironment({ PORT: '0', DATA_DIRECTORY: directory, ...variables })
  const refusal = await startServices(environment, silentLog).then(
    async (services) => {
      await services.stop()
      return 'none'
    },
    (error: Error) => error.message,
  )
  // Neither the database nor the devnet has been begun.
  expect(existsSync(join(directory, 'postgres'))).toBe(false)
  expect(existsSync(join(directory, 'postgres.new'))).toBe(false)
  return refusal
}

/** A directory in which nobody can write. A read-only mode does not stop root. */
function makeReadOnly(): Readonly<{ means: string; directory: string }> {
  const directory = makeDirectory()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'ro', 'tmpfs', directory], { stdio: 'ignore' })
    undo.push(() => execFileSync('umount', [directory]))
    return { means: 'a read-only mount', directory }
  } catch {
    chmodSync(directory, 0o555)
    return { means: 'the mode of a directory', directory }
  }
}

describe('a start that cannot succeed ends early with one line', () => {
  it('if the port is taken', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    expect(await refusalOf({ PORT: `${port}` })).toBe(
      `PORT: another process listens at 127.0.0.1:${port}`,
    )
    server.close()
    expect(await refusalOf({ HOST: '192.0.2.1' })).toBe(
      'HOST: this machine has no address 192.0.2.1',
    )
  })

  it('if the directory is not writable', async () => {
    const { means, directory } = makeReadOnly()
    process.stdout.write(`directory made read-only by ${means}\n`)
    expect(await refusalOf({ DATA_DIRECTORY: directory })).toMatch(
      /^DATA_DIRECTORY \S+ cannot be written: (the disk is read-only|this user may not write here)$/,
    )
    const file = join(makeDirectory(), 'file')
    writeFileSync(file, '')
    expect(await refusalOf({ DATA_DIRECTORY: file })).toMatch(
      /^DATA_DIRECTORY \S+ cannot be written: EEXIST/,
    )
  })

  it('if the configuration is invalid', async () => {
    const path = join(makeDirectory(), 'crossquote.json')
    writeFileSync(path, '{\n"chains":')
    expect(await refusalOf({ CONFIG: path })).toBe(`${path}, line 2, is not JSON: value expected`)
    expect(await refusalOf({ TRUSTED_DOCUMENTS: path })).toMatch(
      /^The trusted documents of \S+ cannot be read: /,
    )
  })

  it('if the key belongs to another account', async () => {
    expect(await refusalOf({ SOLVER_PRIVATE_KEY: users[0].privateKey })).toMatch(
      /^The solver’s key cannot be used \(SOLVER_PRIVATE_KEY\): it belongs to /,
    )
  })

  it('if the database is unreachable', async () => {
    const databaseUrl = 'postgres://someone:secret@127.0.0.1:1/test'
    expect(await refusalOf({ DATABASE_URL: databaseUrl })).toBe(
      'Could not open the request store: connect ECONNREFUSED 127.0.0.1:1',
    )
  })

  it('if the disk is full', async () => {
    const disk = await createSmallDisk()
    undo.push(disk.remove)
    process.stdout.write(`disk made full by ${disk.means}\n`)
    const env = { PATH: '/usr/bin:/bin', PORT: '0', DATA_DIRECTORY: disk.directory }
    const child = disk.spawn(['src/main.ts'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    let printed = ''
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
    expect(await once(child, 'close')).toEqual([1, null])
    const lines = printed.trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
      expect.stringMatching(
        /^DATA_DIRECTORY \S+ cannot be written: (the disk is full|files may not grow that large) \(16 MB must be free\)$/,
      ),
    ])
  })
})

it('a process that stops before its market is read does not say that it is ready', async () => {
  const path = join(makeDirectory(), 'crossquote.json')
  const chains = [{ preset: 'ethereum', rpcUrls: ['http://127.0.0.1:1'] }]
  writeFileSync(path, JSON.stringify({ chains, solver: { address: users[0].address } }))
  const gateway = spawnCrossquote({
    CONFIG: path,
    SOLVER_PRIVATE_KEY: users[0].privateKey,
    DATA_DIRECTORY: makeDirectory(),
    DATABSE_URL: 'postgres://localhost/x',
  })
  undo.push(gateway.kill)
  await gateway.url()
  gateway.terminate()
  expect(await gateway.ended).toBe(0)
  expect(gateway.log()).toContain('Stopping: received SIGTERM')
  expect(gateway.log()).not.toMatch(/Ready:|GraphiQL/)
  expect(gateway.log()).toContain(
    'DATABSE_URL is not a variable of Crossquote. Did you mean DATABASE_URL?',
  )
})

it('the start of a devnet ends with a box of URLs after at most ten lines', async () => {
  const gateway = spawnCrossquote({ DATA_DIRECTORY: makeDirectory(), LOG_FORMAT: 'pretty' })
  undo.push(gateway.kill)
  await vi.waitUntil(() => gateway.log().includes('└'), patience)
  const [before = '', box = ''] = gateway.log().split('┌')
  // Other processes may have the usual ports.
  const lines = before.trimEnd().split('\n')
  expect(lines.filter((line) => !line.includes('uses another port')).length).toBeLessThanOrEqual(10)
  for (const path of ['/', '/graphql', '/docs'])
    expect(box).toMatch(new RegExp(`http://localhost:\\d+${path} `))
  gateway.terminate()
  expect(await gateway.ended).toBe(0)
})

it('a process that cannot start exits with 1', async () => {
  const gateway = spawnCrossquote({ CONFIG: '/nowhere/crossquote.json' })
  expect(await gateway.ended).toBe(1)
  const message = '/nowhere/crossquote.json cannot be read: there is no such file'
  expect(gateway.log()).toContain(message)
})

/** A checkout after `npm install --omit=optional`: the devnet's source is there, its packages are not. */
function checkoutWithoutAnvil(): string {
  const directory = makeDirectory()
  for (const each of ['src', 'package.json'])
    cpSync(each, join(directory, each), { recursive: true })
  mkdirSync(join(directory, 'node_modules'))
  for (const name of readdirSync('node_modules'))
    if (name !== '@foundry-rs')
      symlinkSync(resolve('node_modules', name), join(directory, 'node_modules', name))
  return directory
}

it('a devnet whose packages are not installed is refused with a code', async () => {
  const script = join(checkoutWithoutAnvil(), 'src/main.ts')
  const gateway = spawnCrossquote({ DATA_DIRECTORY: makeDirectory() }, script)
  expect(await gateway.ended).toBe(1)
  expect(gateway.log()).toContain('this installation has no devnet (DEVNET_NOT_INSTALLED)')
})
