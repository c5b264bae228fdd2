import { execFileSync, type SpawnOptions, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeStoreDirectory } from './storeDirectory.ts'

/** A directory with an embedded database and little free space, for one process. */
export type SmallDisk = Readonly<{
  /** The limit of the space. */
  means: 'tmpfs' | 'file-size limit'
  directory: string
  /** Starts Node with `args` under the limit. */
  spawn: (args: readonly string[], options: SpawnOptions) => ReturnType<typeof spawn>
  /** Ends the shortage. */
  grow: () => void
  remove: () => void
}>

/** A tmpfs if mounting is allowed, else a limit on the size of each file. 4 MB are free. */
export async function createSmallDisk(): Promise<SmallDisk> {
  const from = await makeStoreDirectory()
  const directory = mkdtempSync(join(tmpdir(), 'disk-'))
  const isMounted = mountTmpfs(directory, 60)
  cpSync(from, directory, { recursive: true })
  rmSync(from, { recursive: true })
  return isMounted ? tmpfsDisk(directory) : limitedFiles(directory)
}

/** Mounts a disk in memory. Returns whether that is allowed. */
export function mountTmpfs(directory: string, megabytes: number): boolean {
  const options = ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', directory]
  try {
    execFileSync('mount', options, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Unmounts and removes the directory, even while a killed process still has a file open. */
export function unmount(directory: string): void {
  execFileSync('umount', ['--lazy', directory])
  rmSync(directory, { recursive: true })
}

function tmpfsDisk(directory: string): SmallDisk {
  const resize = (bytes: number) =>
    execFileSync('mount', ['-o', `remount,size=${Math.ceil(bytes)}`, directory])
  const { bsize, blocks, bfree } = statfsSync(directory)
  const used = (blocks - bfree) * bsize
  resize(used + 4_000_000)
  return {
    means: 'tmpfs',
    directory,
    spawn: (args, options) => spawn(process.execPath, args, options),
    grow: () => resize(used + 200_000_000),
    remove: () => unmount(directory),
  }
}

function limitedFiles(directory: string): SmallDisk {
  let pid: number | undefined
  return {
    means: 'file-size limit',
    directory,
    // Some shells count in blocks of 1,024 bytes, others in blocks of 512.
    spawn: (args, options) => {
      const script = 'ulimit -S -f 4096; exec "$@"'
      const child = spawn('/bin/sh', ['-c', script, 'sh', process.execPath, ...args], options)
      pid = child.pid
      return child
    },
    grow: () => execFileSync('prlimit', [`--pid=${pid}`, '--fsize=unlimited:unlimited']),
    remove: () => rmSync(directory, { recursive: true }),
  }
}
