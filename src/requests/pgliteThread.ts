import { existsSync, renameSync, rmSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'
import { migrationsFolder } from './database.ts'

/** What the thread is asked: one statement, or to close and end. */
export type Ask =
  | Readonly<{ id: number; text: string; params: unknown[]; rowMode: 'array' | 'object' }>
  | 'close'

/** `code` is the SQLSTATE, where the database refused. */
export type Reply =
  | Readonly<{ id: number; rows: unknown[] }>
  | Readonly<{ id: number; failure: Readonly<{ message: string; code?: string }> }>
  | 'open'

// This file is a thread of its own: `workerData` is the path of the data directory.
const client = await boot(workerData).catch((error) => {
  throw toError(error)
})
await migrate(drizzle(client), { migrationsFolder })
parentPort?.on('message', answer)
reply('open')

async function answer(ask: Ask): Promise<void> {
  if (ask === 'close') {
    await client.close()
    parentPort?.close()
    return
  }
  const { id, text, params, rowMode } = ask
  try {
    const { rows } = await client.query(text, params, { rowMode })
    reply({ id, rows })
  } catch (error) {
    // An error that is sent as it is loses its code on the way.
    const { message, code } = toError(error) as Error & { code?: string }
    reply({ id, failure: { message, ...(code !== undefined && { code }) } })
  }
}

/** What its file system throws is no Error, and has no message. */
function toError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown
  const { errno } = thrown as { errno?: number }
  return new Error(`${workerData} cannot be read or written (WASI errno ${errno})`)
}

function reply(message: Reply): void {
  parentPort?.postMessage(message)
}

/** Moves a new data directory into place once it is whole: one that is half made never opens. */
async function boot(path: string): Promise<PGlite> {
  if (!existsSync(path)) {
    const half = `${path}.new`
    rmSync(half, { recursive: true, force: true })
    const made = await PGlite.create(half)
    await made.close()
    renameSync(half, path)
  }
  return PGlite.create(path)
}
