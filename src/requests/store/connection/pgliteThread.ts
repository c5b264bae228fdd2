import { on } from 'node:events'
import fs from 'node:fs'
import { dirname, join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite, protocol } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { LRUCache } from 'lru-cache'
import { planByIndexes, type Rows, type Statement } from './database.ts'

/**
 * Opens the data directory at `path`. A commit waits until its records are on the disk.
 * @throws what PGlite throws, which is not always an Error.
 */
async function openDataDirectory(path: string): Promise<PGlite> {
  disableWasmOptimization()
  if (!fs.existsSync(path)) await createDataDirectory(path)
  return PGlite.create({ dataDir: path, fs: new DurableFs(path), startParams: [...startParams] })
}

/** Creates the directory under another name and renames it once complete. A crash leaves no incomplete directory. */
async function createDataDirectory(path: string): Promise<void> {
  const half = `${path}.new`
  fs.rmSync(half, { recursive: true, force: true })
  const made = await PGlite.create({
    dataDir: half,
    initDbStartParams: ['--wal-segsize=1'],
    startParams: [...PGlite.defaultStartParams, ...sharedBuffers],
  })
  await made.close()
  // Frees its memory before the next database opens. `npm start` exposes this function.
  globalThis.gc?.()
  for (const entry of fs.readdirSync(half, { recursive: true, encoding: 'utf8' }))
    syncPath(join(half, entry))
  syncPath(half)
  fs.renameSync(half, path)
  syncPath(dirname(path))
}

function syncPath(path: string): void {
  const file = fs.openSync(path, 'r')
  try {
    fs.fsyncSync(file)
  } finally {
    fs.closeSync(file)
  }
}

/** The default of 128 MB would stay in memory in addition to the system's own cache of the files. */
const sharedBuffers = ['-c', 'shared_buffers=8MB'] as const

/** PGlite's own parameters without `-F`, which turns fsync off. `fdatasync`, the default, does nothing in its build. */
const startParams = [
  ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
  ...['-c', 'fsync=on', '-c', 'wal_sync_method=fsync'],
  ...sharedBuffers,
] as const

type Stream = Readonly<{ nfd: number }>

/** The parts of Emscripten's file system that PGlite's type leaves out. */
type NodeFsModule = Readonly<{
  NODEFS: {
    /** Turns a Node error into the error that the WebAssembly code understands. */
    tryFSOperation: <Value>(act: () => Value) => Value
    stream_ops: { fsync?: (stream: Stream) => number }
  }
}>

/** Emscripten's Node file system has no fsync: calls of it succeed without a write to the disk. */
class DurableFs extends NodeFS {
  override async init(...args: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(...args)
    const addFsync = (module: unknown) => {
      const { NODEFS } = module as NodeFsModule
      NODEFS.stream_ops.fsync = ({ nfd }) => {
        NODEFS.tryFSOperation(() => fs.fsyncSync(nfd))
        return 0
      }
    }
    const preRun = [...(emscriptenOpts.preRun ?? []), addFsync]
    return { emscriptenOpts: { ...emscriptenOpts, preRun } }
  }
}

/**
 * Keeps V8 from optimizing WebAssembly that this process compiles from now on. The optimization of one function of
 * Postgres takes 600 MB, and does not make Postgres faster.
 */
function disableWasmOptimization(): void {
  setFlagsFromString('--no-wasm-tier-up')
  setFlagsFromString('--no-wasm-dynamic-tiering')
}

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
