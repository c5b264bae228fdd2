import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { makeStoreDirectory } from '#test/support/store/storeDirectory.ts'

const pathOf = (name: string) => fileURLToPath(new URL(`../support/${name}`, import.meta.url))

/** Stores five requests one after the other, and answers after each. */
const program = `
  import { createLocalBus } from '#src/requests/events/bus.ts'
  import { openRequestStore } from '#src/requests/store/openRequestStore.ts'
  import { quotedRequest } from '#test/support/fixtures/quotedRequest.ts'
  import { silentLog } from '#test/support/store/storeHome.ts'
  const directory = process.argv[1]
  const store = await openRequestStore({ log: silentLog, bus: createLocalBus() }, { directory })
  for (const digit of '12345') {
    await store.put(quotedRequest('0x' + digit.repeat(64)))
    process.stdout.write('answer')
  }
  await store.close()`

const nodeArgs = (directory: string) => [
  '--input-type=module-typescript',
  '--eval',
  program,
  directory,
]

/** The actions of the program, in order: `write <path>`, `sync <path>` once it is on the disk, `answer`. */
type Trace = readonly string[]

function traceBySystemCalls(directory: string): Trace {
  const path = join(directory, 'trace')
  const calls = 'trace=fsync,fdatasync,write,pwrite64,pwritev'
  const args = ['-f', '-y', '-s', '16', '-e', calls, '-o', path, process.execPath]
  execFileSync('strace', [...args, ...nodeArgs(directory)], { stdio: 'ignore' })
  /** The file that each thread waits for. */
  const syncing = new Map<string, string>()
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, thread = '', call = '', file = ''] = /^(\d+) +(\w+)\(\d+<([^>]*)>/.exec(line) ?? []
      const [, resumed = ''] = /^(\d+) +<\.\.\. (?:fsync|fdatasync) resumed>/.exec(line) ?? []
      if (resumed !== '') return [`sync ${syncing.get(resumed)}`]
      if (call === 'fsync' || call === 'fdatasync') {
        syncing.set(thread, file)
        return line.endsWith('= 0') ? [`sync ${file}`] : []
      }
      if (line.includes('"answer"')) return ['answer']
      return call === '' ? [] : [`write ${file}`]
    })
}

function traceByWrappedFiles(directory: string): Trace {
  const path = join(directory, 'trace')
  const env = { TRACE: path, NODE_OPTIONS: `--import ${pathOf('processes/traceFiles.ts')}` }
  execFileSync(process.execPath, nodeArgs(directory), {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return readFileSync(path, 'utf8').split('\n')
}

function canTraceSystemCalls(): boolean {
  try {
    execFileSync('strace', ['-o', '/dev/null', 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

it.each([
  ...(canTraceSystemCalls() ? [['strace', traceBySystemCalls] as const] : []),
  ['wrapped file functions', traceByWrappedFiles] as const,
])('a request is on the disk before its answer leaves, traced by %s', async (means, traceOf) => {
  const directory = await makeStoreDirectory()
  const trace = traceOf(directory)
  rmSync(directory, { recursive: true })

  /** The state of Postgres's log at each answer. */
  const answers: string[] = []
  let log = 'not written'
  for (const line of trace) {
    if (/^write .*\/pg_wal\//.test(line)) log = 'not synced'
    if (/^sync .*\/pg_wal\//.test(line) && log === 'not synced') log = 'synced'
    if (line !== 'answer') continue
    answers.push(log)
    log = 'not written'
  }
  process.stdout.write(`power cut, traced by ${means}: ${answers.length} answers\n`)
  expect(answers).toEqual(Array(5).fill('synced'))
})
