import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { vi } from 'vitest'
import { waitLimitMs } from '#test/support/patience.ts'
import { quickStart } from './quickStart.ts'

const patience = { timeout: waitLimitMs, interval: 20 }
/** Each check costs the process CPU time, when it has the most to do. */
const rarely = { timeout: waitLimitMs, interval: 200 }

/** Crossquote in a separate process. */
export type CrossquoteProcess = Readonly<{
  /** Everything logged so far. */
  log: () => string
  /** The URL of its gateway, once it listens. */
  url: () => Promise<string>
  /** The URL of its gateway, once `/ready` is 200. */
  ready: () => Promise<string>
  /** Resolves with the signal or the exit code when the process ends. */
  ended: Promise<NodeJS.Signals | number>
  /** Stops the process gracefully, like an operator. */
  terminate: () => void
  /** Pauses the process until `thaw`. Its connections stay open. */
  freeze: () => void
  thaw: () => void
  /** Kills the process, like a crash, and resolves when it has ended. Can be called twice. */
  kill: () => Promise<void>
}>

/** Starts Crossquote like an operator, or starts `script` with `args`. */
export function spawnCrossquote(
  env: Readonly<Record<string, string>>,
  script = 'src/main.ts',
  args: readonly string[] = [],
): CrossquoteProcess {
  const child: ChildProcess = spawn(process.execPath, [script, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: '/usr/bin:/bin',
      PORT: '0',
      ...quickStart,
      RATE_LIMIT_UNITS: '0',
      MAX_QUEUE_MS: '0',
      ...env,
    },
  })
  let log = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    log += text
  })
  let isOver = false
  const ended = once(child, 'close').then(([code, signal]) => {
    isOver = true
    return signal ?? code
  })
  const findUrl = () => {
    const url = /http:\/\/localhost:\d+/.exec(log)?.[0]
    if (url === undefined && isOver) throw new Error(`The process ended before it listened: ${log}`)
    return url
  }
  return {
    log: () => log,
    url: () => vi.waitUntil(findUrl, patience),
    ready: () =>
      vi.waitUntil(async () => {
        const url = findUrl()
        if (url === undefined) return undefined
        const response = await fetch(`${url}/ready`).catch(() => undefined)
        return response?.ok ? url : undefined
      }, rarely),
    ended,
    terminate: () => child.kill('SIGTERM'),
    freeze: () => child.kill('SIGSTOP'),
    thaw: () => child.kill('SIGCONT'),
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}
