import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { getTableName } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/pg-proxy'
import { migrate } from 'drizzle-orm/pg-proxy/migrator'
import { queuedReads } from './callerReads.ts'
import { type Database, migrationsFolder, type Rows } from './database.ts'
import type { Ask, Reply } from './pgliteThread.ts'
import { checkFreeSpace, lockPath } from './storeDirectory.ts'

/**
 * Opens an embedded Postgres with its files under `<directory>/postgres`. It runs in a worker thread, so that it does
 * not block this process. Committed data survives a crash of the process and a power failure. If the database stops,
 * for example on a full disk, calls fail at once, and `check` restarts it from its files.
 * @throws Error if another process has the directory open, or it cannot be written.
 */
export async function openPglite(directory: string): Promise<Database> {
  const path = join(directory, 'postgres')
  const unlock = lockPath(path)
  let client: PgliteClient
  try {
    client = await startPglite(path)
  } catch (error) {
    unlock()
    throw error
  }
  const ask: PgliteClient['ask'] = (message) => client.ask(message)
  /** The current restart, if any. */
  let restarting: Promise<void> | undefined
  const restart = async () => {
    client = await startPglite(path)
  }
  let isClosing = false
  const close = async () => {
    isClosing = true
    await restarting?.catch(() => undefined)
    await client.close().finally(unlock)
  }
  await runMigrations(ask).catch(async (error: unknown) => {
    await close().catch(() => undefined)
    throw error
  })
  return {
    ...overPglite(ask),
    check: async () => {
      await checkFreeSpace(directory, neededMegabytes)
      if (client.hasEnded() && !isClosing) {
        restarting = restart()
        await restarting
      }
      // Writes all data that is only in memory.
      await ask({ text: 'checkpoint', params: [] })
    },
    close,
  }
}

/** The operations of an open database. */
export const overPglite = (ask: PgliteClient['ask']): Omit<Database, 'check' | 'close'> => {
  const db = drizzle(async (text, params) => {
    const [rows = []] = (await ask({ text, params })) as (string | null)[][][]
    return { rows }
  })
  return {
    db,
    callers: queuedReads((statements) => ask({ statements })),
    callersByKey: db,
    // Its buffers are small: a row in a page of its own takes 15 µs.
    scannedRows: 200,
    atomically: (statements) => ask({ statements }),
    vacuum: async (table) => {
      await ask({ text: `vacuum "${getTableName(table)}"`, params: [] })
    },
  }
}

/** Free space that a restart of the database needs, for segments of the log and the pages in its buffers. */
const neededMegabytes = 16

/** Runs from this process, because the thread would need half a second to load Drizzle. */
async function runMigrations(ask: PgliteClient['ask']): Promise<void> {
  const db = drizzle(async (text, params) => {
    const [rows = []] = (await ask({ text, params })) as readonly Rows[]
    // Only the table of past migrations is read here.
    return { rows: rows.map(([id, hash, created_at]) => ({ id, hash, created_at })) }
  })
  const run = async (texts: readonly string[]) => {
    await ask({ statements: texts.map((text) => ({ text, params: [] })) })
  }
  await migrate(db, run, { migrationsFolder })
}

type Outcome = readonly Rows[] | 'conflict'

/** A thread with the embedded database. */
export type PgliteClient = Readonly<{
  /** @throws Error that the database gave, or why the thread has ended. */
  ask: (message: Exclude<Ask, string>) => Promise<Outcome>
  /** Whether the thread has ended. It is never restarted. */
  hasEnded: () => boolean
  /** Ends the thread once all earlier calls are answered. @throws Error if the database did not close well. */
  close: () => Promise<void>
}>

/** In milliseconds, far above the duration of a call. A slower thread is terminated, as it may never answer. */
type PgliteLimits = Readonly<{ openMs: number; answerMs: number }>

const defaultLimits: PgliteLimits = { openMs: 120_000, answerMs: 20_000 }

type Waiting = Readonly<{
  resolve: (outcome: Outcome) => void
  reject: (error: Error) => void
}>

/** @throws Error if the database does not open. */
export async function startPglite(path: string, limits = defaultLimits): Promise<PgliteClient> {
  const thread = new Worker(new URL('./pgliteThread.ts', import.meta.url), {
    workerData: path,
    // Without the options of this process, some of which apply only to its main file.
    execArgv: [],
    resourceLimits: { maxYoungGenerationSizeMb: 8 },
  })
  /** In the order of the messages, which is the order of the replies. */
  const waiting: Waiting[] = []
  /** The reason, once the thread has ended. */
  let ended: Error | undefined
  const send = (message: Ask) => thread.postMessage(message)

  const terminate = (what: string) => () => {
    end(new Error(`The embedded database ${what}`))
    void thread.terminate()
  }

  /** Timer of the oldest waiting call. */
  let answerTimer: NodeJS.Timeout | undefined
  function expectAnswer(): void {
    clearTimeout(answerTimer)
    answerTimer =
      waiting.length === 0 ? undefined : setTimeout(terminate('did not answer'), limits.answerMs)
    answerTimer?.unref()
  }

  /** An idle database does not keep the process alive; one with open calls does. */
  function updateRef(): void {
    if (waiting.length > 0) thread.ref()
    else thread.unref()
  }

  function receive(reply: Exclude<Reply, 'open'>): void {
    const caller = waiting.shift()
    expectAnswer()
    updateRef()
    if ('outcome' in reply) {
      caller?.resolve(reply.outcome)
      return
    }
    const error = Object.assign(new Error(reply.failure.message), reply.failure)
    caller?.reject(error)
    if (reply.isFatal) end(error)
  }

  function end(reason: Error): void {
    ended ??= reason
    for (const { reject } of waiting.splice(0)) reject(ended)
    expectAnswer()
  }

  const exited = new Promise<void>((resolve) => thread.once('exit', () => resolve()))
  thread.on('error', end)
  const stopped = new Error('The embedded database has stopped')
  const failed = exited.then(() => {
    end(stopped)
    throw ended
  })
  const opening = setTimeout(terminate('did not open'), limits.openMs)
  try {
    await Promise.race([once(thread, 'message'), failed])
  } finally {
    clearTimeout(opening)
  }
  thread.on('message', receive)
  updateRef()

  return {
    ask: (message) =>
      new Promise<Outcome>((resolve, reject) => {
        if (ended) return reject(ended)
        waiting.push({ resolve, reject })
        if (waiting.length === 1) expectAnswer()
        updateRef()
        send(message)
      }),
    hasEnded: () => ended !== undefined,
    close: async () => {
      if (ended) return
      thread.ref()
      const closing = setTimeout(terminate('did not close'), limits.answerMs)
      send('close')
      await exited
      clearTimeout(closing)
      if (ended !== stopped) throw ended
    },
  }
}
