import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { drizzle } from 'drizzle-orm/pg-proxy'
import type { Database } from './database.ts'
import { lockPath } from './lockPath.ts'
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
    const { query, close } = await startThread(path)
    const db = drizzle(async (text, params, method) => ({
      rows: await query({ text, params, rowMode: method === 'all' ? 'array' : 'object' }),
    }))
    return {
      db,
      close: async () => {
        await close()
        unlock()
      },
    }
  } catch (error) {
    unlock()
    throw error
  }
}

type Statement = Omit<Exclude<Ask, string>, 'id'>

type Waiting = Readonly<{ resolve: (rows: unknown[]) => void; reject: (error: Error) => void }>

async function startThread(path: string) {
  const thread = new Worker(new URL('./pgliteThread.ts', import.meta.url), {
    workerData: path,
    // Not those of this process, some of which go with its main file alone.
    execArgv: [],
  })
  const waiting = new Map<number, Waiting>()
  let asked = 0
  /** Once the thread runs no more: why. */
  let ended: Error | undefined
  const ask = (message: Ask) => thread.postMessage(message)

  /** An open database keeps no process alive, but one that works does. */
  function hold(): void {
    if (waiting.size > 0) thread.ref()
    else thread.unref()
  }

  function settle(reply: Exclude<Reply, string>): void {
    const asker = waiting.get(reply.id)
    waiting.delete(reply.id)
    hold()
    if ('rows' in reply) asker?.resolve(reply.rows)
    else asker?.reject(Object.assign(new Error(reply.failure.message), reply.failure))
  }

  function end(reason: Error): void {
    ended ??= reason
    for (const { reject } of waiting.values()) reject(ended)
    waiting.clear()
  }

  const exited = new Promise<void>((resolve) => thread.once('exit', () => resolve()))
  thread.on('error', end)
  await Promise.race([once(thread, 'message'), exited])
  void exited.then(() => end(new Error('The embedded database has stopped')))
  thread.on('message', settle)
  hold()

  return {
    query: (statement: Statement) =>
      new Promise<unknown[]>((resolve, reject) => {
        if (ended) return reject(ended)
        asked += 1
        waiting.set(asked, { resolve, reject })
        hold()
        ask({ ...statement, id: asked })
      }),
    close: async () => {
      thread.ref()
      ask('close')
      await exited
    },
  }
}
