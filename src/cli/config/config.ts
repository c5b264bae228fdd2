import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand, UsageError } from '#src/config/command.ts'
import { readConfig } from '#src/config/config.ts'
import { misspelledVariables, readEnvironment } from '#src/config/environment.ts'
import { createLog } from '#src/config/log.ts'
import { readListedCurrencies } from '#src/market/currencies/remoteTokenList.ts'
import { checkConfig } from '#src/system/check/checkConfig.ts'
import { factTable } from '#src/system/check/fact.ts'
import { shownConfig, shownEnvironment } from './shownConfig.ts'

const command = {
  usage: 'npm run config -- check|show [--config <file>]',
  help: `
check  compares every fact of the configuration with the answers of its chains. Exit code: 0 if none is wrong, 1 if one
       is, 2 if none is and a chain could not be asked
show   prints the effective environment and configuration as JSON, with presets and defaults, and without secrets

  --config FILE  the configuration (the variable CONFIG)`,
  options: { config: { type: 'string' } },
  allowPositionals: true,
} as const

/** Maximum duration of the checks of a chain, for all of its endpoints together. */
const seconds = 30

/** `npm run config -- check`: see docs/configuration.md. Returns the exit code. */
async function check(path: string): Promise<number> {
  const config = readConfig(path)
  const log = createLog('silent')
  const directory = join(tmpdir(), 'crossquoteTokenLists')
  const listed = await readListedCurrencies({ log, directory }, config, path)
  const reports = await checkConfig({ log, now: Date.now }, config, seconds, listed)
  process.stdout.write(`${factTable(reports)}\n`)
  const facts = reports.flatMap((each) => each.facts)
  const count = (state: string) => facts.filter((each) => each.state === state).length
  process.stdout.write(
    `${count('ok')} ok, ${count('wrong')} wrong, ${count('warning')} warnings, ${count('notChecked')} not checked\n`,
  )
  for (const { chain, outage } of reports)
    if (outage !== undefined) process.stderr.write(`${chain.displayName}: ${outage}\n`)
  if (count('wrong') > 0) return 1
  return reports.some(({ outage }) => outage !== undefined) ? 2 : 0
}

/** `npm run config -- show`: see docs/configuration.md. */
function show(path: string): string {
  const environment = shownEnvironment(readEnvironment(process.env))
  const configuration = shownConfig(readConfig(path, { canLackEndpoints: true }))
  return JSON.stringify({ environment, configuration }, null, 2)
}

await runCommand(command, async ({ values, positionals: [task, ...rest] }) => {
  const path = values.config ?? process.env['CONFIG']
  if (rest.length > 0 || path === undefined || !(task === 'check' || task === 'show'))
    throw new UsageError()
  for (const line of misspelledVariables(process.env)) process.stderr.write(`${line}\n`)
  return task === 'check' ? check(path) : show(path)
})
