import { on } from 'node:events'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite, protocol } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'
import { migrationsFolder, planByIndexes, type Rows, type Statement } from './database.ts'

/** One statement, or several in one transaction, or to close and end. */
export type Ask = Statement | Readonly<{ statements: readonly Statement[] }> | 'close'

/** `code` is the SQLSTATE, where the database refused. */
export type Reply =
  | Readonly<{ outcome: readonly Rows[] | 'conflict' }>
  | Readonly<{ failure: Readonly<{ message: string; code?: string }> }>
  | 'open'

// This file is a thread of its own: it says once that it is open, then answers each ask in turn.
// `workerData` is the path of the data directory.
if (parentPort === null) throw new Error('This file is to be run as a thread')
const asks = on(parentPort, 'message')
const client = await boot(workerData).catch((error) => {
  throw toError(error)
})
await migrate(drizzle(client), { migrationsFolder })
await client.exec(planByIndexes)
const statements = new Map<string, string>()
reply('open')
for await (const [ask] of asks as AsyncIterable<[Ask]>) {
  if (ask === 'close') break
  try {
    reply({ outcome: 'text' in ask ? [await run(ask)] : await runAll(ask.statements) })
  } catch (error) {
    // An error that is sent as it is loses its code on the way.
    const { message, code } = toError(error) as Error & { code?: string }
    reply({ failure: { message, ...(code !== undefined && { code }) } })
  }
}
await client.close()

async function runAll(statements: readonly Statement[]): Promise<readonly Rows[] | 'conflict'> {
  const results: Rows[] = []
  await run({ text: 'begin', params: [] })
  try {
    for (const statement of statements) {
      const rows = await run(statement)
      if (statement.rows !== undefined && statement.rows !== rows.length) {
        await run({ text: 'rollback', params: [] })
        return 'conflict'
      }
      results.push(rows)
    }
    await run({ text: 'commit', params: [] })
    return results
  } catch (error) {
    await run({ text: 'rollback', params: [] })
    throw error
  }
}

/** In one message, and parsed once: PGlite's own `query` takes five, which cost more than a few rows. */
async function run({ text, params }: Statement): Promise<(string | null)[][]> {
  const statement = statements.get(text) ?? (await prepare(text))
  const { serialize } = protocol
  const values = params.map((param) => (param === null ? null : String(param)))
  const { messages } = await client.execProtocol(
    Buffer.concat([serialize.bind({ statement, values }), serialize.execute({}), serialize.sync()]),
  )
  const { DataRowMessage } = protocol.messages
  return messages.flatMap((message) => (message instanceof DataRowMessage ? [message.fields] : []))
}

async function prepare(text: string): Promise<string> {
  const name = `statement_${statements.size}`
  const { serialize } = protocol
  await client.execProtocol(Buffer.concat([serialize.parse({ name, text }), serialize.sync()]))
  statements.set(text, name)
  return name
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
