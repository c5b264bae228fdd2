import { on } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import { protocol } from '@electric-sql/pglite'
import { LRUCache } from 'lru-cache'
import { planByIndexes, type Rows, type Statement } from './database.ts'
import { openDataDirectory } from './pgliteFiles.ts'

/** One statement, several in one transaction, or the command to close the database. */
export type Ask = Statement | Readonly<{ statements: readonly Statement[] }> | 'close'

/** `code` is the SQLSTATE, if the database refused. After a fatal failure the thread ends. */
export type Reply =
  | Readonly<{ outcome: readonly Rows[] | 'conflict' }>
  | Readonly<{ failure: Readonly<{ message: string; code?: string }>; isFatal: boolean }>
  | 'open'

// Runs as a worker thread: it sends `open` once, then answers each message in order.
// `workerData` is the path of the data directory.
if (parentPort === null) throw new Error('This file runs only as a worker thread')
const asks = on(parentPort, 'message')
const client = await openDataDirectory(workerData).catch((error) => {
  throw toError(error)
})
await client.exec(planByIndexes)
/** Prepared statements. Callers choose the conditions of a list, so that its texts are many: those used last are kept. */
const maxStatements = 300
let prepared = 0
const dropped: string[] = []
const statements = new LRUCache<string, string>({
  max: maxStatements,
  dispose: (name) => dropped.push(name),
})
/** Messages, or bytes of their parameters, between two checks of the size of the log, each of which takes 0.1 ms. */
const [asksPerCheck, bytesPerCheck] = [32, 1_000_000]
const maxLogBytes = 16_000_000
reply('open')
let [answered, written] = [0, 0]
for await (const [ask] of asks as AsyncIterable<[Ask]>) {
  if (ask === 'close') break
  try {
    reply({ outcome: 'text' in ask ? [await run(ask)] : await runAll(ask.statements) })
  } catch (error) {
    // An Error object would lose its code in the message.
    const { message, code } = toError(error) as Error & { code?: string }
    const failure = { message, ...(code !== undefined && { code }) }
    reply({ failure, isFatal: isFatal(error) })
    // Postgres would never return from the next call.
    if (isFatal(error)) process.exit(1)
  }
  answered += 1
  written += bytesOf(ask)
  if (answered < asksPerCheck && written < bytesPerCheck) continue
  answered = 0
  written = 0
  await checkpointIfDue()
}
await client.close()

/** About how long the texts among the parameters are. */
function bytesOf(ask: Exclude<Ask, string>): number {
  const statements = 'text' in ask ? [ask] : ask.statements
  let bytes = 0
  for (const { params } of statements)
    for (const param of params) if (typeof param === 'string') bytes += param.length
  return bytes
}

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
    if (!isFatal(error)) await run({ text: 'rollback', params: [] })
    throw error
  }
}

/**
 * Whether Postgres has given up, as where it cannot write its log: severity PANIC or FATAL, or no error of Postgres at
 * all. It starts again from its files.
 */
function isFatal(error: unknown): boolean {
  const { severity } = error as { severity?: string }
  return severity !== 'ERROR'
}

/**
 * Postgres without a postmaster makes no checkpoints by itself: its log would grow until the process stops, by 6 kB a
 * quote.
 */
async function checkpointIfDue(): Promise<void> {
  try {
    const [[size] = []] = await run({
      text: 'select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn) from pg_control_checkpoint()',
      params: [],
    })
    if (Number(size) > maxLogBytes) await run({ text: 'checkpoint', params: [] })
  } catch (error) {
    if (isFatal(error)) throw toError(error)
  }
}

/** Prepares a text at its first use and sends one message. PGlite's own `query` sends five, which is slower. */
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
  const name = `statement_${prepared}`
  prepared += 1
  const { serialize } = protocol
  await client.execProtocol(Buffer.concat([serialize.parse({ name, text }), serialize.sync()]))
  statements.set(text, name)
  const closed = dropped.splice(0).map((each) => serialize.close({ type: 'S', name: each }))
  if (closed.length > 0) await client.execProtocol(Buffer.concat([...closed, serialize.sync()]))
  return name
}

/** The file system of PGlite throws objects that are not Errors and have no message. */
function toError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown
  const { errno } = thrown as { errno?: number }
  return new Error(`${workerData} cannot be read or written (WASI errno ${errno})`)
}

function reply(message: Reply): void {
  parentPort?.postMessage(message)
}
