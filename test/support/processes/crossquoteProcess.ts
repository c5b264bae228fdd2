import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { vi } from 'vitest'

const patience = { timeout: 120_000, interval: 20 }

/** Halves the work of a start. Only processes that end by themselves, or flush it, write to it. */
const compileCache = resolve('.crossquote/compileCache')

/** Crossquote in a process of its own. */
export type CrossquoteProcess = Readonly<{
  /** Everything logged so far. */
  log: () => string
  /** The URL of its gateway, once it listens. */
  url: () => Promise<string>
  /** Resolves when the process has ended, with the signal or the exit code. */
  ended: Promise<NodeJS.Signals | number>
  /** Ends the process as operators do. */
  terminate: () => void
  /** Ends the process as a crash does, and resolves once it is gone. Safe to call twice. */
  kill: () => Promise<void>
}>

/** Starts Crossquote as operators do, or `script` instead. */
export function spawnCrossquote(
  env: Readonly<Record<string, string>>,
  script = 'src/main.ts',
): CrossquoteProcess {
  const child: ChildProcess = spawn(process.execPath, [script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: '/usr/bin:/bin', PORT: '0', NODE_COMPILE_CACHE: compileCache, ...env },
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
    ended,
    terminate: () => child.kill('SIGTERM'),
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}
