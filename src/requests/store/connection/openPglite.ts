import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { getTableName } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/pg-proxy'
import { migrate } from 'drizzle-orm/pg-proxy/migrator'
import { type Database, migrationsFolder, type Rows } from './database.ts'
import type { Ask, Reply } from './pgliteThread.ts'

/**
 * Opens an embedded Postgres with its files under `<directory>/postgres`. It runs in a worker thread, so that it does
 * not block this process. Committed data survives a crash of the process, but not always a power failure, as the
 * files are not fsynced.
 * @throws Error if another process has the directory open.
 */
export async function openPglite(directory: string): Promise<Database> {
  const path = join(directory, 'postgres')
  const unlock = lockPath(path)
  try {
    const { ask, close } = await startThread(path)
    await runMigrations(ask).catch(async (error: unknown) => {
      await close().catch(() => undefined)
      throw error
    })
    const db = drizzle(async (text, params) => {
      const [rows = []] = (await ask({ text, params })) as (string | null)[][][]
      return { rows }
    })
    return {
      db,
      atomically: (statements) => ask({ statements }),
      vacuum: async (table) => {
        await ask({ text: `vacuum "${getTableName(table)}"`, params: [] })
      },
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

type AskThread = (message: Exclude<Ask, string>) => Promise<Outcome>

/** Runs from this process, because the thread would need half a second to load Drizzle. */
async function runMigrations(ask: AskThread): Promise<void> {
  const db = drizzle(async (text, params) => {
    const [rows = []] = (await ask({ text, params })) as readonly Rows[]
    // The table of past migrations is all that is read here.
    return { rows: rows.map(([id, hash, created_at]) => ({ id, hash, created_at })) }
  })
  const run = async (texts: readonly string[]) => {
    await ask({ statements: texts.map((text) => ({ text, params: [] })) })
  }
  await migrate(db, run, { migrationsFolder })
}

async function startThread(path: string) {
  const thread = new Worker(new URL('./pgliteThread.ts', import.meta.url), {
    workerData: path,
    // Without the options of this process, some of which apply only to its main file.
    execArgv: [],
  })
  /** In the order of the messages, which is the order of the replies. */
  const waiting: Waiting[] = []
  /** The reason, once the thread has ended. */
  let ended: Error | undefined
  const send = (message: Ask) => thread.postMessage(message)

  /** An idle database does not keep the process alive; one with open calls does. */
  function updateRef(): void {
    if (waiting.length > 0) thread.ref()
    else thread.unref()
  }

  function receive(reply: Exclude<Reply, 'open'>): void {
    const caller = waiting.shift()
    updateRef()
    if ('outcome' in reply) caller?.resolve(reply.outcome)
    else caller?.reject(Object.assign(new Error(reply.failure.message), reply.failure))
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
  thread.on('message', receive)
  updateRef()

  return {
    ask: ((message) =>
      new Promise<Outcome>((resolve, reject) => {
        if (ended) return reject(ended)
        waiting.push({ resolve, reject })
        updateRef()
        send(message)
      })) satisfies AskThread,
    close: async () => {
      thread.ref()
      send('close')
      await exited
      if (ended !== stopped) throw ended
    },
  }
}

/**
 * Locks `path` for this process by `<path>.lock`, and returns the function that unlocks it. SQLite holds the lock, as
 * Node cannot lock files. The system releases it however the process ends.
 * @throws Error if it is already locked, by this process or another.
 */
function lockPath(path: string): () => void {
  mkdirSync(dirname(path), { recursive: true })
  const lock = new DatabaseSync(`${path}.lock`)
  try {
    lock.exec('begin exclusive')
  } catch (error) {
    lock.close()
    if ((error as { errcode?: number }).errcode !== sqliteBusy) throw error
    throw new Error(
      `Another process has ${path} open. Stop it, configure another directory, or use a Postgres server.`,
    )
  }
  return () => lock.close()
}

/** @source https://www.sqlite.org/rescode.html#busy */
const sqliteBusy = 5
