import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createLocalBus } from '#src/requests/events/bus.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { openRequestStore } from '#src/requests/store/openRequestStore.ts'
import { quotedRequest } from '#test/support/fixtures/quotedRequest.ts'
import { waitLimitMs } from '#test/support/patience.ts'
import { createSmallDisk } from '#test/support/store/smallDisk.ts'
import { createPgliteHome, silentLog } from '#test/support/store/storeHome.ts'
import { idOf } from '#test/support/store/storeModel.ts'

const patience = { timeout: waitLimitMs, interval: 10 }
const fillStore = fileURLToPath(new URL('../support/processes/fillStore.ts', import.meta.url))

const undo: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const each of undo.splice(0).reverse()) await each()
})

describe('an embedded database on a full disk', () => {
  it('refuses at once with the reason, continues once there is space, and loses no stored data', async () => {
    const disk = await createSmallDisk()
    undo.push(disk.remove)
    const child = disk.spawn([fillStore, disk.directory], { stdio: ['ignore', 'pipe', 'inherit'] })
    const closed = once(child, 'close')
    undo.push(async () => {
      child.kill('SIGKILL')
      await closed
    })
    let printed = ''
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
    const linesOf = (kind: string) =>
      printed
        .slice(0, printed.lastIndexOf('\n'))
        .split('\n')
        .filter((line) => line.startsWith(`${kind} `))
        .map((line) => line.slice(kind.length + 1))
    const health = () => linesOf('health').at(-1)

    const isRefused = () => (health() ?? 'ok') !== 'ok' && linesOf('refused').length > 0
    await vi.waitUntil(isRefused, patience)
    const faults = linesOf('failed')
    process.stdout.write(
      `full disk by ${disk.means}: ${faults.length} failures, such as ${faults[0]}\n`,
    )
    // A write that is slow has the free space looked at, before one fails.
    expect(faults.join('\n')).toMatch(
      /No space left on device|File too large|the disk is full|files may not grow/,
    )
    expect(health()).toMatch(
      /^(the disk is full|files may not grow that large) \(16 MB must be free\)$/,
    )
    expect(new Set(linesOf('refused'))).toEqual(new Set(['SERVICE_UNAVAILABLE']))

    disk.grow()
    await vi.waitUntil(() => health() === 'ok', patience)
    const before = linesOf('stored').length
    await vi.waitUntil(() => linesOf('stored').length > before, patience)
    child.kill('SIGKILL')
    await closed

    const store = await open(disk.directory)
    const stored = linesOf('stored')
    const found = new Set((await store.findAll(stored)).map(({ requestId }) => requestId as string))
    expect(stored.filter((id) => !found.has(id))).toEqual([])
  })

  it('starts again after it could not write its log, with all stored data', async () => {
    const home = await createPgliteHome()
    undo.push(home.remove)
    const store = await home.open()
    undo.push(store.close)
    const stored: string[] = []
    let next = 0
    const put = async () => {
      next += 1
      const id = idOf(next)
      await store.put(quotedRequest(id))
      stored.push(id)
    }
    const putBurst = () => Promise.all(Array.from({ length: 128 }, put))
    await putBurst()

    // Postgres panics at the next segment of its log, as on a full disk.
    const log = join(home.where.directory, 'postgres', 'pg_wal')
    renameSync(log, `${log}.away`)
    let refused: unknown
    while (refused === undefined)
      refused = await putBurst().then(
        () => undefined,
        (error) => error,
      )
    expect(refused).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    await vi.waitUntil(() => !store.health().ok, patience)
    await expect(put()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })

    renameSync(`${log}.away`, log)
    await vi.waitUntil(() => store.health().ok, patience)
    await put()
    for (const id of stored) expect(await store.find(id)).toMatchObject({ requestId: id })
  })

  it.each([
    ['many quotes', 8_000, 0],
    ['large quotes', 600, 100_000],
  ])('does not fill the disk with its log of %s', async (_, count, bytes) => {
    const home = await createPgliteHome()
    undo.push(home.remove)
    const store = await home.open()
    undo.push(store.close)
    const put = (at: number) => {
      const quoted = quotedRequest(idOf(at))
      // Postgres would compress what repeats itself.
      return store.put({ ...quoted, referrer: randomBytes(bytes / 2).toString('hex') })
    }
    for (let at = 0; at < count; at += 1_000)
      await Promise.all(Array.from({ length: Math.min(count, 1_000) }, (_, n) => put(at + n)))
    // Segments of 1 MB. Without a checkpoint there would be 48 and 60 of them.
    const segments = readdirSync(join(home.where.directory, 'postgres', 'pg_wal'))
    expect(segments.length).toBeLessThan(36)
  })
})

async function open(directory: string): Promise<RequestStore> {
  const store = await openRequestStore({ log: silentLog, bus: createLocalBus() }, { directory })
  undo.push(store.close)
  return store
}
