import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { waitLimitMs } from '#test/support/patience.ts'
import { quickStart } from '#test/support/processes/quickStart.ts'
import { times } from '#test/support/runs.ts'
import {
  createEmptyHome,
  createPgliteHome,
  createPostgresHome,
  type StoreHome,
  serverUrl,
  storeHomes,
} from '#test/support/store/storeHome.ts'

const undo: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const each of undo.splice(0).reverse()) await each()
})

async function enter(createHome: () => StoreHome | Promise<StoreHome>): Promise<StoreHome> {
  const home = await createHome()
  undo.push(home.remove)
  return home
}

async function open(home: StoreHome) {
  const store = await home.open()
  undo.push(store.close)
  return store
}

const pathOf = (name: string) =>
  fileURLToPath(new URL(`../../../test/support/processes/${name}`, import.meta.url))
const putRequests = pathOf('putRequests.ts')
const saveBatches = pathOf('saveBatches.ts')

/** A child process that puts requests or saves batches, started outside the checkout. */
function startPutting({ where }: StoreHome, program = putRequests) {
  const child = spawn(process.execPath, [program, JSON.stringify(where)], {
    cwd: tmpdir(),
    stdio: ['ignore', 'pipe', 'inherit'],
    env: quickStart,
  })
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
  })
  const closed = once(child, 'close')
  const kill = async () => {
    child.kill('SIGKILL')
    await closed
  }
  undo.push(kill)
  return { kill, stored: () => printed.split('\n').slice(0, -1) }
}

const patience = { timeout: waitLimitMs, interval: 10 }

describe.each(storeHomes)('a request store on %s', (_, createHome) => {
  it('contains everything that a killed process had stored', async () => {
    const home = await enter(createHome)
    const child = startPutting(home)
    await vi.waitUntil(() => child.stored().length > times(500, 100), patience)
    await child.kill()

    const stored = child.stored()
    const store = await open(home)
    // One after the other: all at once would exceed the time limit of a call.
    const found: string[] = []
    for (const id of stored) found.push((await store.find(id))?.requestId ?? `lost ${id}`)
    expect(found).toEqual(stored)
  })

  it('contains only whole batches after a kill: the saved ones and at most one more', async () => {
    const home = await enter(createHome)
    const child = startPutting(home, saveBatches)
    /** By request, the number of its last batch that was saved. */
    const saved = () =>
      new Map(child.stored().map((line) => line.split(' ').reverse() as [string, string]))
    await vi.waitUntil(() => child.stored().length > times(100, 30) && saved().size === 3, patience)
    await child.kill()

    const last = saved()
    const store = await open(home)
    for (const [requestId, acknowledged] of last) {
      const seq = (await store.find(requestId))?.state.seq ?? 0
      expect([Number(acknowledged), Number(acknowledged) + 1]).toContain(seq)
      const all = Array.from({ length: seq }, (__, at) => at + 1)
      const changes = await store.changesAfter(requestId, 0)
      expect(changes.map(({ state }) => state.seq)).toEqual(all)
      const deposits = await store.depositsOf(requestId)
      expect(deposits.map(({ timestamp }) => timestamp)).toEqual(all)
      const transactions = await store.transactionsOf(requestId)
      expect(transactions.map(({ nonce }) => nonce)).toEqual(all)
    }
  })
})

describe('a request store on PGlite', () => {
  it('is open in one process at a time', async () => {
    const home = await enter(createPgliteHome)
    const child = startPutting(home)
    await vi.waitUntil(() => child.stored().length > 0, patience)
    await expect(home.open()).rejects.toThrow(
      `Could not open the request store: Another process has ${home.where.directory}/postgres open.`,
    )
    await child.kill()
    const store = await open(home)
    await expect(home.open()).rejects.toThrow('Another process')
    await store.close()
    await open(home)
  })

  it('lets a process exit, but not before its requests are stored', async () => {
    const { where } = await enter(createPgliteHome)
    const id = `0x${'7'.repeat(64)}`
    const lines = [
      `import { createLocalBus } from '#src/requests/events/bus.ts'`,
      `import { openRequestStore } from '#src/requests/store/openRequestStore.ts'`,
      `import { quotedRequest } from '#test/support/fixtures/quotedRequest.ts'`,
      `import { silentLog } from '#test/support/store/storeHome.ts'`,
      `const deps = { log: silentLog, bus: createLocalBus() }`,
      `const store = await openRequestStore(deps, ${JSON.stringify(where)})`,
      `await store.put(quotedRequest('${id}'))`,
      `process.stdout.write((await store.find('${id}')).requestId)`,
    ]
    const program = ['--input-type=module-typescript', '--eval', lines.join('\n')]
    expect(await promisify(execFile)(process.execPath, program)).toMatchObject({ stdout: id })
  })

  it('reports why it cannot open, and opens once that is fixed', async () => {
    const home = await enter(createPgliteHome)
    const path = join(home.where.directory, 'postgres')
    renameSync(path, `${path}.aside`)
    writeFileSync(path, 'No directory')
    await expect(home.open()).rejects.toThrow(
      `Could not open the request store: ${path} cannot be read or written (WASI errno 54)`,
    )
    rmSync(path)
    renameSync(`${path}.aside`, path)
    await open(home)
  })

  it('opens after a process was killed while creating the directory', async () => {
    const home = await enter(createEmptyHome)
    const child = startPutting(home)
    const half = join(home.where.directory, 'postgres.new', 'global')
    await vi.waitUntil(() => existsSync(half), { ...patience, interval: 1 })
    await child.kill()
    expect(existsSync(join(home.where.directory, 'postgres'))).toBe(false)

    const store = await open(home)
    expect(await store.find(`0x${'0'.repeat(64)}`)).toBeUndefined()
  })
})

describe.skipIf(serverUrl === undefined)('a request store on Postgres', () => {
  it('lets several processes start at once on an empty database', async () => {
    const home = await enter(createPostgresHome)
    const children = [startPutting(home), startPutting(home)]
    const stores = await Promise.all(Array.from({ length: 6 }, () => open(home)))
    await vi.waitUntil(() => children.every(({ stored }) => stored().length > 0), patience)
    const [id = ''] = children[0]?.stored() ?? []
    for (const store of stores) expect(await store.find(id)).toBeDefined()
  })
})
