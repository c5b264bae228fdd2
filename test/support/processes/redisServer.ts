import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { vi } from 'vitest'
import { freePort } from '#test/support/freePort.ts'
import { patience } from '#test/support/patience.ts'

/** Whether this machine has a Redis server. */
export const hasRedisServer = spawnSync('redis-server', ['--version']).status === 0

/** A Redis server for one test. It keeps nothing on disk. */
export type RedisServer = Readonly<{
  url: string
  /** A connection for the test. It reconnects after a restart of the server. */
  redis: Redis
  /** Kills the server, like a crash. All data are lost. */
  kill: () => Promise<void>
  /** Restarts the server at the same port. */
  start: () => Promise<void>
  stop: () => Promise<void>
}>

export async function startRedisServer(): Promise<RedisServer> {
  const directory = mkdtempSync(join(tmpdir(), 'crossquote-redis-'))
  const port = await freePort()
  const begin = () =>
    spawn(
      'redis-server',
      ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--dir', directory],
      { stdio: 'ignore' },
    )
  let child = begin()
  const url = `redis://127.0.0.1:${port}`
  const redis = new Redis(url, { retryStrategy: () => 50, maxRetriesPerRequest: null })
  redis.on('error', () => undefined)
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'close')
    child.kill('SIGKILL')
    await ended
  }
  const answers = () => vi.waitUntil(() => redis.ping(), patience)
  await answers()
  return {
    url,
    redis,
    kill,
    start: async () => {
      child = begin()
      await answers()
    },
    stop: async () => {
      redis.disconnect()
      await kill()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
