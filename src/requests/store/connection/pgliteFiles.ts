import fs from 'node:fs'
import { dirname, join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'

/**
 * Opens the data directory at `path`. A commit waits until its records are on the disk.
 * @throws what PGlite throws, which is not always an Error.
 */
export async function openDataDirectory(path: string): Promise<PGlite> {
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

/** The default of 128 MB would stay in memory beside the system's own cache of the files. */
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
