import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { forgePath } from './forge/forgePath.ts'

/**
 * `npm run coverage:contracts`: measures the lines and branches of our contracts that the unit and fuzz tests reach.
 * Exits with 1 if a test fails, or if a contract is below `minimum`. Invariant tests do not count: no assertion covers
 * the lines that only they reach.
 */
const minimum = 0.95
const folder = '.crossquote/forge'
const report = `${folder}/lcov.info`

mkdirSync(folder, { recursive: true })
rmSync(report, { force: true })
const chosen = ['--no-match-coverage', '^(test|src/devnet)/', '--no-match-contract', 'Invariants']
const { status, stdout, stderr } = spawnSync(
  forgePath(),
  ['coverage', ...chosen, '--report', 'lcov', '--report-file', report],
  { encoding: 'utf8' },
)
if (status !== 0) {
  process.stderr.write(`${stdout}${stderr}`)
  process.exit(1)
}

/** One file of an lcov report. `LF` and `BRF` count its lines and branches, `LH` and `BRH` the reached ones. */
function readRecord(record: string) {
  const field = (name: string) => new RegExp(`^${name}:(.*)$`, 'm').exec(record)?.[1] ?? ''
  const share = (reached: string, all: string) =>
    Number(field(all)) === 0 ? 1 : Number(field(reached)) / Number(field(all))
  return { file: field('SF'), lines: share('LH', 'LF'), branches: share('BRH', 'BRF') }
}

const percent = (share: number) => `${(share * 100).toFixed(1)} %`
const contracts = readFileSync(report, 'utf8')
  .split('end_of_record')
  .filter((record) => record.includes('SF:'))
  .map(readRecord)
process.stdout.write('| contract | lines | branches |\n|---|---|---|\n')
for (const { file, lines, branches } of contracts)
  process.stdout.write(`| ${file} | ${percent(lines)} | ${percent(branches)} |\n`)

const below = contracts.filter(({ lines, branches }) => Math.min(lines, branches) < minimum)
for (const { file } of below) process.stderr.write(`${file} is below ${percent(minimum)}\n`)
process.exit(below.length === 0 && contracts.length > 0 ? 0 : 1)
