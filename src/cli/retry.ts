import { parseArgs } from 'node:util'
import { retryRefund } from '#src/solver/payouts/refundChanges.ts'
import { withStore } from './openStore.ts'

/** `npm run retry -- <deposit>`: see docs/operations.md. */
async function retry(): Promise<void> {
  const { positionals } = parseArgs({ allowPositionals: true })
  const [depositId, ...others] = positionals
  if (depositId === undefined || others.length > 0)
    throw new Error('Usage: npm run retry -- <deposit>, such as 1:0x…:0')
  const outcome = await withStore(process.env, (store) => retryRefund(store, depositId))
  process.stdout.write(`${outcome}\n`)
}

try {
  await retry()
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
}
