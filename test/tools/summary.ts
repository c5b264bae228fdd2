import { readFileSync } from 'node:fs'
import { relative } from 'node:path'

/**
 * Prints a JSON report of vitest and the commands that failed: each file, each failure with its reason, and at the end
 * `N passed, N failed`. Each failed command counts as one failure.
 */
const [, , report = '', ...commands] = process.argv

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
const {
  numPassedTests: passed,
  numFailedTests: failed,
  numPendingTests: skipped,
  testResults: files,
} = JSON.parse(readFileSync(report, 'utf8')) as Report

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
for (const command of commands) print(`failed: ${command}`)
const failures = failed + broken.length + commands.length
print(`${passed} passed, ${failures} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
