import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { vi } from 'vitest'

const patience = { timeout: 60_000, interval: 20 }

/** A process of ours beside the test's. */
export type CrossquoteProcess = Readonly<{
  /** What it has logged so far. */
  log: () => string
  /** Where its gateway listens. */
  url: () => Promise<string>
  /** Resolves with the signal that ended it, or its exit code. */
  ended: Promise<NodeJS.Signals | number>
  /** Ends it as operators do. */
  terminate: () => void
  /** Ends it as a crash does; resolves once it is gone. Safe to call twice. */
  kill: () => Promise<void>
}>

/** Crossquote as operators start it, or `script` in its place. */
export function spawnCrossquote(
  env: Readonly<Record<string, string>>,
  script = 'src/main.ts',
): CrossquoteProcess {
  const child: ChildProcess = spawn(process.execPath, [script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: '/usr/bin:/bin', PORT: '0', ...env },
  })
  let log = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    log += text
  })
  const ended = once(child, 'close').then(([code, signal]) => signal ?? code)
  return {
    log: () => log,
    url: () => vi.waitUntil(() => /http:\/\/localhost:\d+/.exec(log)?.[0], patience),
    ended,
    terminate: () => child.kill('SIGTERM'),
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}
