import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readConfig } from '#src/config/config.ts'
import { createLog } from '#src/config/log.ts'
import { readListedCurrencies } from '#src/market/currencies/remoteTokenList.ts'
import { checkConfig } from '#src/system/check/checkConfig.ts'
import { factTable } from '#src/system/check/fact.ts'

const usage = 'Usage: npm run config -- check --config <file>'

/** Maximum duration of the checks of a chain, for all of its endpoints together. */
const seconds = 30

/** `npm run config -- check --config <file>`: see docs/configuration.md. Returns the exit code. */
async function check(): Promise<number> {
  const options = { config: { type: 'string' } } as const
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  const [command, ...rest] = positionals
  if (values.config === undefined || command !== 'check' || rest.length > 0) throw new Error(usage)
  const config = readConfig(values.config)
  const log = createLog('silent')
  const directory = join(tmpdir(), 'crossquoteTokenLists')
  const listed = await readListedCurrencies({ log, directory }, config, values.config)
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

try {
  process.exitCode = await check()
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
}
