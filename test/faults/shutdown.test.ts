import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import type { DevnetDescription } from '#src/devnet/describeDevnet.ts'
import { isListening } from '#test/support/clients/isListening.ts'
import { patience } from '#test/support/patience.ts'
import { spawnCrossquote } from '#test/support/processes/crossquoteProcess.ts'
import { makeStoreDirectory } from '#test/support/store/storeDirectory.ts'

it('ends with its devnet within SHUTDOWN_SECONDS although the disk does not answer', async () => {
  const directory = await makeStoreDirectory()
  const gateway = spawnCrossquote({ DATA_DIRECTORY: directory, SHUTDOWN_SECONDS: '1' })
  await gateway.url()
  const described = readFileSync(join(directory, 'devnet.json'), 'utf8')
  const { chains }: DevnetDescription = JSON.parse(described)

  // Closing syncs this directory. Opening a pipe that nobody writes to never returns.
  const synced = join(directory, 'postgres', 'pg_commit_ts')
  rmSync(synced, { recursive: true })
  execFileSync('mkfifo', [synced])
  gateway.terminate()
  expect(await gateway.ended).toBe('SIGKILL')
  expect(gateway.log()).toContain('Killed: did not stop within 1 seconds (SHUTDOWN_SECONDS)')
  for (const { rpcUrl } of chains)
    await vi.waitUntil(async () => !(await isListening(Number(new URL(rpcUrl).port))), patience)
  rmSync(directory, { recursive: true })
})
