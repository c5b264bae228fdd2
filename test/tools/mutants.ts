import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { forgePath } from './forge/forgePath.ts'

/**
 * `npm run test:mutants`: applies each fault of test/faults.json to a copy of this tree, one at a time, and runs the
 * tests that must find it. Exits with 1 unless every fault makes its tests fail. Does not change the user's own files.
 *
 * - `--only 3` or `--only pools`: the fault with this number, or those whose file, tests or effect contain the text
 * - `--jobs 2`: number of concurrent runs, each in its own copy
 * - `--baseline`: first runs all tests of the faults without a fault; they must pass
 * - `--limit 600`: seconds after which a run counts as failed: a fault can make a test hang
 * - `--faults <path>`: another list of faults: test/contracts/faults.json, whose tests forge runs, or test/svm/faults.json,
 *   whose program is compiled for each
 */
const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    jobs: { type: 'string', default: '2' },
    baseline: { type: 'boolean', default: false },
    limit: { type: 'string', default: '600' },
    faults: { type: 'string', default: 'test/faults.json' },
  },
})

/** `find` occurs once in `file`. */
const faultSchema = z.strictObject({
  file: z.string(),
  find: z.string().min(1),
  replace: z.string(),
  tests: z.array(z.string()).min(1),
  breaks: z.string(),
})
type Fault = z.infer<typeof faultSchema> & Readonly<{ number: number }>
type Outcome = 'red' | 'red (hung)' | 'GREEN' | 'NOT RUN'

const scratch = mkdtempSync(join(tmpdir(), 'mutants-'))
const running = new Set<number>()
const print = (line: string) => process.stdout.write(`${line}\n`)

/** Ends all test runs with every process that they started, and removes the copies. */
function cleanUp(): void {
  for (const pid of running) killGroup(pid)
  rmSync(scratch, { recursive: true, force: true, maxRetries: 10 })
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The group has already ended.
  }
}

process.once('exit', cleanUp)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

/** A copy of the files that git would commit, with this tree's packages and database templates. */
function copyTree(name: string): string {
  const copy = join(scratch, name)
  const { stdout } = spawnSync('git', ['ls-files', '-coz', '--exclude-standard'], {
    encoding: 'utf8',
  })
  for (const file of stdout.split('\0').filter((each) => each !== '' && existsSync(each)))
    cpSync(file, join(copy, file))
  for (const folder of ['node_modules', '.crossquote/templates']) {
    mkdirSync(folder, { recursive: true })
    mkdirSync(join(copy, folder, '..'), { recursive: true })
    symlinkSync(resolve(folder), join(copy, folder))
  }
  mkdirSync(join(copy, 'tmp'))
  return copy
}

const runTests = (copy: string, tests: readonly string[]): Promise<Outcome> =>
  tests.every((test) => test.endsWith('.t.sol')) ? runForge(copy, tests) : runVitest(copy, tests)

/**
 * Runs a command in a copy until it ends or the time limit is reached. It has its own process group, so that all of its
 * processes end with it.
 * @returns its standard output. Undefined if it reached the limit.
 */
async function run(
  copy: string,
  command: string,
  args: readonly string[],
): Promise<string | undefined> {
  const child = spawn(command, args, {
    cwd: copy,
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
    // biome-ignore lint/style/noProcessEnv: tests take their databases and PATH from it.
    env: { ...process.env, TMPDIR: join(copy, 'tmp') },
  })
  const pid = child.pid ?? 0
  running.add(pid)
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  let isHung = false
  const limit = setTimeout(() => {
    isHung = true
    killGroup(pid)
  }, Number(options.limit) * 1_000)
  await once(child, 'close')
  clearTimeout(limit)
  killGroup(pid)
  running.delete(pid)
  return isHung ? undefined : output
}

/** Runs one file after the other. A copy that does not compile counts as not run. */
async function runForge(copy: string, tests: readonly string[]): Promise<Outcome> {
  for (const test of tests) {
    const output = await run(copy, forgePath(), ['test', '--match-path', test])
    if (output === undefined) return 'red (hung)'
    if (output.includes('[FAIL')) return 'red'
    if (!output.includes('[PASS]')) return 'NOT RUN'
  }
  return 'GREEN'
}

async function runVitest(copy: string, tests: readonly string[]): Promise<Outcome> {
  const report = join(copy, 'tmp', 'report.json')
  rmSync(report, { force: true })
  const reporting = ['--reporter=json', `--outputFile=${report}`]
  // The cache of transformed modules could give a test the file without its fault.
  const flags = ['--maxWorkers=1', '--bail=1', '--fsModuleCache=false']
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', ...flags]
  const output = await run(copy, process.execPath, [...vitest, ...reporting, ...tests])
  if (output === undefined) return 'red (hung)'
  if (!existsSync(report)) return 'NOT RUN'
  const { numTotalTests, success } = JSON.parse(readFileSync(report, 'utf8'))
  if (numTotalTests === 0) return 'NOT RUN'
  return success ? 'GREEN' : 'red'
}

/** The source with the fault. Undefined if `find` does not occur exactly once. */
function mutated({ file, find, replace }: Fault): string | undefined {
  if (!existsSync(file)) return undefined
  const parts = readFileSync(file, 'utf8').split(find)
  return parts.length === 2 ? parts.join(replace) : undefined
}

const svmProgram = 'src/protocol/svm/program/depository.so'

/** Compiles the program for Solana chains. False if it does not compile, or comes out as before. */
async function compileSvm(copy: string): Promise<boolean> {
  const before = readFileSync(join(copy, svmProgram))
  const script = `import('./test/tools/svm/compileProgram.ts').then((tool) => tool.compileProgram(false))`
  await run(copy, process.execPath, ['-e', script])
  return !before.equals(readFileSync(join(copy, svmProgram)))
}

async function runFault(copy: string, fault: Fault): Promise<boolean> {
  const started = Date.now()
  const restored = [fault.file, svmProgram].map((file) => {
    const path = join(copy, file)
    return { path, original: readFileSync(path) }
  })
  writeFileSync(join(copy, fault.file), mutated(fault) ?? '')
  const isReady = !/\.[ch]$/.test(fault.file) || (await compileSvm(copy))
  const outcome = isReady ? await runTests(copy, fault.tests) : 'NOT RUN'
  for (const { path, original } of restored) writeFileSync(path, original)
  const seconds = ((Date.now() - started) / 1_000).toFixed(1)
  print(`${outcome}\t${seconds} s\t${fault.number}\t${fault.file}\t${fault.breaks}`)
  return outcome.startsWith('red')
}

const isWanted = ({ number, file, tests, breaks }: Fault): boolean =>
  options.only === undefined ||
  (/^\d+$/.test(options.only)
    ? number === Number(options.only)
    : [file, breaks, ...tests].some((text) => text.includes(options.only ?? '')))

const faults = z
  .array(faultSchema)
  .parse(JSON.parse(readFileSync(options.faults, 'utf8')))
  .map((fault, at) => ({ ...fault, number: at + 1 }))
  .filter(isWanted)
if (faults.length === 0) print('No fault is chosen')

const misplaced = faults.filter((fault) => mutated(fault) === undefined)
for (const { number, file, find } of misplaced)
  print(`DOES NOT APPLY\t${number}\t${file}\tits text does not occur exactly once: ${find}`)
const missing = faults.flatMap(({ number, tests }) =>
  tests.filter((test) => !existsSync(test)).map((test) => `NO SUCH TEST\t${number}\t${test}`),
)
for (const line of missing) print(line)

let isBaselineGreen = true
if (options.baseline) {
  const outcome = await runTests(copyTree('baseline'), [
    ...new Set(faults.flatMap((each) => each.tests)),
  ])
  isBaselineGreen = outcome === 'GREEN'
  print(`without any fault: ${outcome}`)
}

const queue = faults.filter((fault) => !misplaced.includes(fault))
let red = 0
async function work(name: string): Promise<void> {
  const copy = copyTree(name)
  for (let fault = queue.shift(); fault !== undefined; fault = queue.shift())
    if (await runFault(copy, fault)) red += 1
}
if (isBaselineGreen)
  await Promise.all(Array.from({ length: Number(options.jobs) }, (_, at) => work(`copy${at}`)))
print(`${red} of ${faults.length} faults are red`)
process.exit(red === faults.length && red > 0 && missing.length === 0 ? 0 : 1)
