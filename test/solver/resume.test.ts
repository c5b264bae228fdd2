import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLog } from '#src/config/log.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import { createLocalBus } from '#src/requests/events/bus.ts'
import { openRequestStore } from '#src/requests/store/openRequestStore.ts'
import { quickStart } from '#test/support/processes/quickStart.ts'
import { makeStoreDirectory } from '#test/support/store/storeDirectory.ts'

let directory: string
beforeAll(async () => {
  directory = await makeStoreDirectory()
})
afterAll(() => rmSync(directory, { recursive: true }))

const open = () =>
  openRequestStore({ log: createLog('silent'), bus: createLocalBus() }, { directory })

/** Runs the script as an operator does. */
async function resume(...args: readonly string[]) {
  const env = { ...quickStart, DATA_DIRECTORY: directory }
  const child = spawn(process.execPath, ['src/cli/resume.ts', ...args], { env })
  const [output, problems] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { output, problems }
}

it('the script lists stopped assets, and resumes one on one chain', async () => {
  const [ethereum, base] = [1, 8453].map(toChainId) as [
    ReturnType<typeof toChainId>,
    ReturnType<typeof toChainId>,
  ]
  const before = await open()
  for (const chainId of [ethereum, base]) {
    const stop = { chainId, asset: 'USDC', stoppedAt: 0, reason: '$0.10 by its feed' }
    expect(await before.stopAsset(stop)).toBe(true)
    expect(await before.stopAsset({ ...stop, stoppedAt: 5 })).toBe(false)
  }
  await before.close()
  expect(await resume()).toEqual({
    output:
      'USDC on chain 1, since 1970-01-01T00:00:00.000Z: $0.10 by its feed\nUSDC on chain 8453, since 1970-01-01T00:00:00.000Z: $0.10 by its feed\n',
    problems: '',
  })
  const args = ['--chain', '8453', '--asset', 'USDC']
  expect((await resume(...args)).output).toBe('USDC is resumed on chain 8453.\n')
  expect((await resume(...args)).output).toBe('USDC is not stopped on chain 8453.\n')
  expect((await resume('--chain', '8453')).problems).toMatch('Usage: npm run resume')
  const after = await open()
  expect((await after.stoppedAssets()).map(({ chainId }) => chainId)).toEqual([ethereum])
  expect(await after.stoppedAssets(base)).toEqual([])
  await after.close()
})
