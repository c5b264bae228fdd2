import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'

/**
 * `summary.ts <report>… -- <failed command>…` prints JSON reports of vitest and the commands that failed: each file, each
 * failure with its reason, and at the end `N passed, N failed`, summed over the reports. Each failed command counts as
 * one failure, and so does a missing report.
 */
const split = process.argv.indexOf('--')
const paths = process.argv.slice(2, split)
const commands = process.argv.slice(split + 1)

type Report = Readonly<{
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  testResults: readonly Readonly<{
    name: string
    status: string
    /** The reason, if the file itself failed. */
    message: string
    assertionResults: readonly Readonly<{
      fullName: string
      status: string
      failureMessages: readonly string[]
    }>[]
  }>[]
}>

const longestReason = 1500
const missing = paths.filter((path) => !existsSync(path))
const reports = paths
  .filter((path) => existsSync(path))
  .map((path) => JSON.parse(readFileSync(path, 'utf8')) as Report)
const files = reports.flatMap(({ testResults }) => testResults)
const total = (count: (report: Report) => number) =>
  reports.reduce((sum, report) => sum + count(report), 0)

const print = (line: string) => process.stdout.write(`${line}\n`)
const nameOf = ({ name }: Readonly<{ name: string }>) => relative(process.cwd(), name)
const failuresOf = ({ assertionResults }: Report['testResults'][number]) =>
  assertionResults.filter(({ status }) => status === 'failed')

for (const file of files) print(`${file.status} ${nameOf(file)} (${file.assertionResults.length})`)
for (const file of files)
  for (const { fullName, failureMessages } of failuresOf(file))
    print(
      `failed: ${nameOf(file)}: ${fullName}\n${failureMessages.join('\n').slice(0, longestReason)}`,
    )
const broken = files.filter((file) => file.status === 'failed' && failuresOf(file).length === 0)
for (const file of broken) print(`failed: ${nameOf(file)}\n${file.message.slice(0, longestReason)}`)
for (const path of missing) print(`failed: no report at ${path}`)
for (const command of commands) print(`failed: ${command}`)
const passed = total(({ numPassedTests }) => numPassedTests)
const skipped = total(({ numPendingTests }) => numPendingTests)
const failures =
  total(({ numFailedTests }) => numFailedTests) + broken.length + missing.length + commands.length
print(`${passed} passed, ${failures} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
