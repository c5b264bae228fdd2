import { runCommand, UsageError } from '#src/config/command.ts'
import { retryRefund } from '#src/solver/payouts/refundChanges.ts'
import { withStore } from './openStore.ts'

const command = {
  usage: 'npm run retry -- <deposit>, such as 1:0x…:0',
  help: 'Tries the refund of a deposit again that failed or was given up. The deposit is chain:transaction:index.',
  options: {},
  allowPositionals: true,
} as const

/** `npm run retry -- <deposit>`: see docs/operations.md. */
async function retry([depositId, ...others]: readonly string[]): Promise<string> {
  if (depositId === undefined || others.length > 0) throw new UsageError()
  return withStore(process.env, (store) => retryRefund(store, depositId))
}

await runCommand(command, ({ positionals }) => retry(positionals))
