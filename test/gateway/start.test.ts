import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { waitLimitMs } from '#test/support/patience.ts'
import { quickStart } from '#test/support/processes/quickStart.ts'
import { makeStoreDirectory } from '#test/support/store/storeDirectory.ts'

const patience = { timeout: waitLimitMs, interval: 20 }
/** Each poll of a process costs it CPU time. */
const rarely = { timeout: waitLimitMs, interval: 200 }

const directories = [await makeStoreDirectory(), await makeStoreDirectory()]
const [own = '', other = ''] = directories

type Running = Readonly<{ child: ChildProcess; closed: Promise<unknown>; log: () => string }>

/** Starts the gateway as operators do, with its own devnet. */
function run(directory: string, port: string): Running {
  const child = spawn(process.execPath, ['src/main.ts'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...quickStart, PATH: '/usr/bin:/bin', PORT: port, DATA_DIRECTORY: directory },
  })
  let log = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    log += text
  })
  return { child, closed: once(child, 'close'), log: () => log }
}

let first: Running
let port: string
beforeAll(async () => {
  first = run(own, '0')
  const started = () => /http:\/\/localhost:(\d+)/.exec(first.log())?.[1]
  port = await vi.waitUntil(started, patience)
})
afterAll(async () => {
  first.child.kill('SIGKILL')
  await first.closed
  for (const directory of directories) rmSync(directory, { recursive: true, force: true })
})

const files = () => ['devnet.json', 'tokenList.json'].map((name) => readFileSync(join(own, name)))

it('a gateway exits with a clear error if another one uses its directory, and leaves that gateway’s files unchanged', async () => {
  const before = files()
  const second = run(own, '0')
  expect(await second.closed).toEqual([1, null])
  expect(second.log()).toContain(`Another process has ${join(own, 'postgres')} open`)
  expect(files()).toEqual(before)
})

it('a gateway exits with a clear error if its port is in use, and leaves no devnet.json behind', async () => {
  const second = run(other, port)
  expect(await second.closed).toEqual([1, null])
  expect(second.log()).toContain(`PORT: another process listens at 127.0.0.1:${port}`)
  expect(existsSync(join(other, 'devnet.json'))).toBe(false)
})

it('a gateway reports metrics for all its roles, and exits cleanly on SIGTERM', async () => {
  const url = `http://127.0.0.1:${port}`
  const lines = async () => (await (await fetch(`${url}/metrics`)).text()).split('\n')
  await vi.waitFor(async () => {
    const all = await lines()
    const led = all.filter((line) => line.startsWith('crossquote_leads{'))
    expect(led.map((line) => line.slice(line.lastIndexOf(' ')))).toEqual(Array(12).fill(' 1'))
    const looked = all.filter((line) =>
      /^crossquote_(tracker_head_block|solver_block|solver_is_allocator)\{/.test(line),
    )
    expect(looked).toHaveLength(12)
  }, rarely)
  first.child.kill('SIGTERM')
  expect(await first.closed).toEqual([0, null])
  expect(existsSync(join(own, 'devnet.json'))).toBe(false)
})
