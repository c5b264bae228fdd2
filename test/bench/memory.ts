import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { nodeOptions } from './children.ts'

/**
 * Resident memory of an idle gateway with all its roles on its devnet, as `npm start` runs it, without the chains: on a new
 * embedded database, on the same again, and on Postgres if DATABASE_URL names a server. Linux only.
 */
const idleSeconds = 20

async function startGateway(env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [...nodeOptions, 'src/main.ts'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: '/usr/bin:/bin', PORT: '0', ...env },
  })
  let log = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    log += text
  })
  while (!log.includes('Ready: ')) {
    if (child.exitCode !== null) throw new Error(log)
    await pause(50)
  }
  return child
}

/** In megabytes (1,000,000 bytes): now, and the most so far. */
function memoryOf({ pid }: ChildProcess) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const megabytes = (name: string) =>
    Math.round((Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1_024) / 1_000_000)
  return { idle: megabytes('VmRSS'), peak: megabytes('VmHWM') }
}

async function measure(label: string, env: Readonly<Record<string, string>>): Promise<void> {
  const gateway = await startGateway(env)
  await pause(idleSeconds * 1_000)
  const { idle, peak } = memoryOf(gateway)
  process.stdout.write(`${label.padEnd(36)} idle ${idle} MB, peak ${peak} MB\n`)
  gateway.kill('SIGTERM')
  await once(gateway, 'close')
}

const directory = mkdtempSync(join(tmpdir(), 'memory-'))
const env = { DATA_DIRECTORY: directory }
await measure('a new embedded database', env)
await measure('the same again', env)
// biome-ignore lint/style/noProcessEnv: this process has no main.ts before it.
const { DATABASE_URL } = process.env
if (DATABASE_URL !== undefined) await measure('a Postgres server', { ...env, DATABASE_URL })
rmSync(directory, { recursive: true })
