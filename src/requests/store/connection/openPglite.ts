import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { drizzle } from 'drizzle-orm/pg-proxy'
import type { Database, Rows } from './database.ts'
import type { Ask, Reply } from './pgliteThread.ts'

/**
 * Postgres in a thread of this process, so that its work does not hold up what else the process
 * does; on disk under `<directory>/postgres`. What is committed outlives the process however it ends;
 * it does not outlive a power cut in every case, since this Postgres leaves it to the system when to
 * bring its files to the disk.
 * @throws Error when another process has the directory open.
 */
export async function openPglite(directory: string): Promise<Database> {
  const path = join(directory, 'postgres')
  const unlock = lockPath(path)
  try {
    const { ask, close } = await startThread(path)
    const db = drizzle(async (text, params) => {
      const [rows = []] = (await ask({ text, params })) as (string | null)[][][]
      return { rows }
    })
    return {
      db,
      atomically: (statements) => ask({ statements }),
      close: async () => {
        await close().finally(unlock)
      },
    }
  } catch (error) {
    unlock()
    throw error
  }
}

type Outcome = readonly Rows[] | 'conflict'

type Waiting = Readonly<{
  resolve: (outcome: Outcome) => void
  reject: (error: Error) => void
}>

async function startThread(path: string) {
  const thread = new Worker(new URL('./pgliteThread.ts', import.meta.url), {
    workerData: path,
    // Not those of this process, some of which go with its main file alone.
    execArgv: [],
  })
  /** In the order that they asked in, which is that of the replies. */
  const waiting: Waiting[] = []
  /** Once the thread runs no more: why. */
  let ended: Error | undefined
  const send = (message: Ask) => thread.postMessage(message)

  /** An open database keeps no process alive, but one that works does. */
  function hold(): void {
    if (waiting.length > 0) thread.ref()
    else thread.unref()
  }

  function settle(reply: Exclude<Reply, 'open'>): void {
    const asker = waiting.shift()
    hold()
    if ('outcome' in reply) asker?.resolve(reply.outcome)
    else asker?.reject(Object.assign(new Error(reply.failure.message), reply.failure))
  }

  function end(reason: Error): void {
    ended ??= reason
    for (const { reject } of waiting.splice(0)) reject(ended)
  }

  const exited = new Promise<void>((resolve) => thread.once('exit', () => resolve()))
  thread.on('error', end)
  const stopped = new Error('The embedded database has stopped')
  const failed = exited.then(() => {
    end(stopped)
    throw ended
  })
  await Promise.race([once(thread, 'message'), failed])
  thread.on('message', settle)
  hold()

  return {
    ask: (message: Exclude<Ask, string>) =>
      new Promise<Outcome>((resolve, reject) => {
        if (ended) return reject(ended)
        waiting.push({ resolve, reject })
        hold()
        send(message)
      }),
    close: async () => {
      thread.ref()
      send('close')
      await exited
      if (ended !== stopped) throw ended
    },
  }
}

/**
 * Holds `path` for this process, by `<path>.lock`, until what it gives back is called. The lock is
 * SQLite's, which the system takes back however the process ends: node itself locks no files.
 * @throws Error when another holds it, in this process or any other.
 */
export function lockPath(path: string): () => void {
  mkdirSync(dirname(path), { recursive: true })
  const lock = new DatabaseSync(`${path}.lock`)
  try {
    lock.exec('begin exclusive')
  } catch (error) {
    lock.close()
    if ((error as { errcode?: number }).errcode !== sqliteBusy) throw error
    throw new Error(
      `Another process has ${path} open. Stop it, name another directory, or share a Postgres server.`,
    )
  }
  return () => lock.close()
}

/** @source https://www.sqlite.org/rescode.html#busy */
const sqliteBusy = 5
