import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLog } from '#src/config/log.ts'
import { createLocalBus } from '#src/requests/events/bus.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import { openRequestStore } from '#src/requests/store/openRequestStore.ts'
import { depositArbitrary } from '#test/support/arbitraries/trackingArbitrary.ts'
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
async function retry(...args: readonly string[]) {
  const env = { ...quickStart, DATA_DIRECTORY: directory }
  const child = spawn(process.execPath, ['src/cli/retry.ts', ...args], { env })
  const [output, problems] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { output, problems }
}

it('the script makes the solver retry the refund of a deposit', async () => {
  const [drawn] = fc.sample(depositArbitrary, 1) as [Deposit]
  const kept: Deposit = {
    ...drawn,
    depositId: '1:0x12:0',
    status: 'kept',
    refundFailReason: 'EXECUTION_REVERTED',
    refundTries: 40,
    refundDueAt: 4_000_000_000_000,
  }
  const before = await open()
  expect(await before.save({ deposits: [kept] })).toBe('saved')
  await before.close()
  expect(await retry('1:0x12:0')).toEqual({
    output: 'The solver tries the refund of 1:0x12:0 again\n',
    problems: '',
  })
  expect((await retry()).problems).toMatch('Usage: npm run retry')
  const after = await open()
  const { refundFailReason: _, refundTries: __, refundDueAt: ___, ...rest } = kept
  expect(await after.findDeposits(['1:0x12:0'])).toEqual([
    { ...rest, status: 'refundable', version: 2 },
  ])
  await after.close()
})
