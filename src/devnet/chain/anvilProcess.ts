import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { createPublicClient, http, testActions, walletActions } from 'viem'

export type Anvil = Readonly<{
  rpcUrl: string
  wsUrl: string
  port: number
  pid: number
  /** Resolves when the process has ended. May be called twice. */
  stop: () => Promise<void>
}>

type AnvilArgs = Readonly<{
  chainId: number
  /** Interval between blocks. Absent: anvil mines each transaction when it arrives. */
  blockSeconds?: number
  /** Absent: the system chooses a free port. */
  port?: number
  /** Number of blocks after which a block is final. Even. Absent: 64. */
  finalityBlocks?: number | undefined
  /** Further command-line options of anvil. */
  options?: readonly string[]
}>

/**
 * Starts an empty anvil chain on 127.0.0.1. It ends at the latest when this process ends: see `leash`.
 * @throws Error with anvil's own message if it ends before it listens, for example because the port is taken.
 */
export async function startAnvil(args: AnvilArgs): Promise<Anvil> {
  const child = spawn('/bin/sh', ['-c', leash, 'sh', anvilPath(), ...toArguments(args)], {
    // Its own process group: Ctrl-C reaches only this process, which then stops its chains in order.
    detached: true,
  })
  const gone = once(child, 'close')
  child.once('exit', () => child.stdin.destroy())
  const stop = async () => {
    child.stdin.destroy()
    await gone
  }
  try {
    const port = await listeningPort(child)
    const rpcUrl = `http://127.0.0.1:${port}`
    await silence(rpcUrl)
    if (child.pid === undefined) throw new Error('anvil has no process id')
    return { rpcUrl, wsUrl: `ws://127.0.0.1:${port}`, port, pid: child.pid, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/**
 * The shell replaces itself with anvil, which keeps the process id. A watcher reads a pipe that this process keeps
 * open. When this process ends, even by SIGKILL, the system closes the pipe and the watcher kills anvil.
 */
const leash = `exec 3<&0
{ cat <&3 >/dev/null; kill -9 "$$" 2>/dev/null; } &
exec "$@" </dev/null 3<&-`

const require = createRequire(import.meta.url)

/** The binary itself: the package's launcher would start a second process, which could survive the first one. */
function anvilPath(): string {
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch
  const launcher = createRequire(require.resolve('@foundry-rs/anvil/package.json'))
  return launcher.resolve(`@foundry-rs/anvil-${process.platform}-${architecture}/bin/anvil`)
}

const toArguments = ({
  chainId,
  blockSeconds,
  port = 0,
  finalityBlocks,
  options = [],
}: AnvilArgs): string[] => [
  ...['--chain-id', `${chainId}`, '--port', `${port}`, '--host', '127.0.0.1'],
  ...(blockSeconds === undefined ? [] : ['--block-time', `${blockSeconds}`]),
  // Anvil finalizes a block once two epochs follow it.
  ...(finalityBlocks === undefined ? [] : ['--slots-in-an-epoch', `${finalityBlocks / 2}`]),
  ...options,
]

/** @throws Error with anvil's output if it ends before it listens. */
function listeningPort(child: ChildProcess): Promise<number> {
  let written = ''
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => reject(new Error(`anvil ended (${code}): ${written.trim()}`)))
    child.stderr?.on('data', (chunk) => {
      written = `${written}${chunk}`.slice(-2000)
    })
    // The output is read even after the port is known: a full pipe would block anvil.
    child.stdout?.on('data', (chunk) => {
      written = `${written}${chunk}`.slice(-2000)
      const port = /Listening on 127\.0\.0\.1:(\d+)/.exec(written)?.[1]
      if (port !== undefined) resolve(Number(port))
    })
  })
}

/** Turns off anvil's log line for each call. */
async function silence(rpcUrl: string): Promise<void> {
  const call = { jsonrpc: '2.0', id: 1, method: 'anvil_setLoggingEnabled', params: [false] }
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(rpcUrl, { method: 'POST', headers, body: JSON.stringify(call) })
  if (!answer.ok) throw new Error(`anvil answered its first call with HTTP ${answer.status}`)
}

/** A client of one anvil chain. Calls in the same tick of the event loop share an HTTP request. */
export const createAnvilClient = (rpcUrl: string) =>
  createPublicClient({
    cacheTime: 0,
    pollingInterval: 50,
    transport: http(rpcUrl, {
      batch: { batchSize: 1000, wait: 0 },
      retryCount: 0,
      timeout: 60_000,
    }),
  })
    .extend(testActions({ mode: 'anvil' }))
    .extend(walletActions)

export type AnvilClient = ReturnType<typeof createAnvilClient>
