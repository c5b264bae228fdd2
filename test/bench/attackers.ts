import { parseArgs } from 'node:util'
import { defences, smallTotals } from './attackers/defences.ts'
import { loadWithEdits } from './attackers/edits.ts'

/**
 * A hostile week on the devnet: honest users and attackers trade over the public API, and the chains show who gained
 * and who lost. `--without <defence>` switches one defence off, and runs the days that need it. `--requests` sets the
 * number of honest and of hostile requests of the week, `--days` names the days to run, separated by commas, and `--dust`
 * sets the number of deposits of one wei on their day. `--strategy` leaves the strategies whose name contains the text.
 * `--limits` gives the gateway the default rate limits and admission: most attacks are then refused before they begin.
 */
const {
  without,
  requests,
  days: named,
  dust,
  strategy,
  limits,
} = parseArgs({
  options: {
    without: { type: 'string' },
    requests: { type: 'string', default: '200' },
    days: { type: 'string' },
    dust: { type: 'string', default: '1000' },
    strategy: { type: 'string', default: '' },
    limits: { type: 'boolean', default: false },
  },
}).values

const defence = defences.find(({ name }) => name === without)
if (without !== undefined && defence === undefined)
  throw new Error(`--without takes one of: ${defences.map(({ name }) => name).join(', ')}`)

loadWithEdits([...smallTotals, ...(defence?.edits ?? [])])
const { runBench } = await import('./attackers/runBench.ts')
const isMet = await runBench(defence, {
  strategy,
  limits,
  named: named?.split(','),
  requests: Number(requests),
  dust: Number(dust),
})
process.exitCode = isMet ? 0 : 1
process.exit()
