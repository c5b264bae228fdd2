import { parseArgs } from 'node:util'
import { readEnvironment } from '#src/config/environment.ts'
import { createLog } from '#src/config/log.ts'
import { openRequestStore } from '#src/requests/store/openRequestStore.ts'
import { retryRefund } from '#src/solver/payouts/refundChanges.ts'

/** `npm run retry -- <deposit>`: see docs/operations.md. */
async function retry(): Promise<void> {
  const { positionals } = parseArgs({ allowPositionals: true })
  const [depositId, ...others] = positionals
  if (depositId === undefined || others.length > 0)
    throw new Error('Usage: npm run retry -- <deposit>, such as 1:0x…:0')
  const { DATABASE_URL: databaseUrl, DATA_DIRECTORY: directory } = readEnvironment(process.env)
  const deps = { log: createLog('warn'), bus: { publish: () => {} } }
  const at = { directory, ...(databaseUrl !== undefined && { databaseUrl }) }
  const store = await openRequestStore(deps, at)
  try {
    process.stdout.write(`${await retryRefund(store, depositId)}\n`)
  } finally {
    await store.close()
  }
}

try {
  await retry()
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
}
