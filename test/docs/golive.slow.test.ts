import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createLog } from '#src/config/log.ts'
import { type Devnet, startDevnet } from '#src/devnet/startDevnet.ts'
import { readDocument } from '#test/support/clients/documents.ts'
import { patience } from '#test/support/patience.ts'
import { quickStart } from '#test/support/processes/quickStart.ts'
import { createPostgresHome, type StoreHome, serverUrl } from '#test/support/store/storeHome.ts'

const directory = mkdtempSync(join(tmpdir(), 'golive-'))
const live = join(directory, 'live')

/** The shell blocks of each step of the document. */
const steps: ReadonlyMap<number, readonly string[]> = new Map(
  readDocument('docs/golive.md')
    .split(/^## (?=\d)/m)
    .slice(1)
    .map((step) => [
      Number.parseInt(step, 10),
      [...step.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, text = '']) => text),
    ]),
)

/** What must not be done here: installing packages, starting the devnet, which runs already, and asking an Alertmanager. */
const isLeftOut = (text: string): boolean => /^npm (ci|start$)|:9093/m.test(text)

/** A bash that runs one block after the other, as an operator's terminal does. */
function openShell() {
  const env = { PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`, ...quickStart }
  const child = spawn('bash', { stdio: ['pipe', 'pipe', 'pipe'], env, detached: true })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  return {
    run: async (text: string): Promise<string> => {
      const from = output.length
      child.stdin.write(`${text}\necho; echo "ended with $?"\n`)
      await vi.waitUntil(() => /^ended with \d+$/m.test(output.slice(from)), patience)
      return output.slice(from)
    },
    /** Ends the shell and what runs in its background: its process group. */
    close: async () => {
      process.kill(-(child.pid ?? Number.NaN), 'SIGTERM')
      child.stdin.end()
      await once(child, 'close')
    },
  }
}

describe.skipIf(serverUrl === undefined)('docs/golive.md (TEST_DATABASE_URL)', () => {
  let devnet: Devnet
  let home: StoreHome
  let shell: ReturnType<typeof openShell>
  beforeAll(async () => {
    devnet = await startDevnet({ log: createLog('silent'), directory, firstPort: 0 })
    home = await createPostgresHome()
    shell = openShell()
  })
  afterAll(async () => {
    await shell?.close()
    await devnet?.stop()
    await home?.remove()
    rmSync(directory, { recursive: true })
  })

  /** A block as it is run here: in another directory, database and port, and with the gateway in the background. */
  const adapt = (text: string): string =>
    text
      .replace('npm run -s demo --', '$& --devnet .crossquote/devnet.json')
      .replaceAll('.crossquote/', `${directory}/`)
      .replace('LIVE=$HOME/crossquote-live PORT=4100', `LIVE=${live} PORT=0`)
      .replace(/DATABASE_URL=postgres\S+/, `DATABASE_URL=${home.where.databaseUrl}`)
      .replace(/^(SOLVER_KEYSTORE=.* npm start)$/m, `$1 > ${directory}/log 2>&1 &`)

  const run = async (text: string): Promise<string> => {
    const output = await shell.run(adapt(text))
    if (!text.endsWith(' npm start\n')) return output
    const findPort = async () =>
      /localhost:(\d+)/.exec(await shell.run(`cat ${directory}/log`))?.[1]
    return shell.run(`export PORT=${await vi.waitUntil(findPort, patience)}`)
  }

  it('leads to a filled and settled swap, and prints what it says', async () => {
    expect([...steps.keys()]).toEqual(Array.from({ length: 15 }, (_, at) => at + 1))
    for (const [step, blocks] of steps) {
      const outputs: string[] = []
      for (const block of blocks.filter((each) => !isLeftOut(each))) outputs.push(await run(block))
      const isDone = () => (printed[step] ?? []).every(matches(outputs.join('')))
      const last = blocks.at(-1)
      if (takesTime.has(step) && last !== undefined)
        await vi.waitUntil(async () => {
          if (!isDone()) outputs.push(await run(last))
          return isDone()
        }, patience)
      expect(isDone(), `step ${step}:\n${outputs.join('')}`).toBe(true)
    }
  })
})

/** Steps whose last block is run until it prints what is expected: when the gateway is ready, the solver has made its first round, the deposit is settled, and nothing is open. */
const takesTime: ReadonlySet<number> = new Set([10, 11, 13, 15])

/** A pattern, and how often it must at least match: once if nothing is said. */
type Printed = RegExp | readonly [RegExp, number]

const matches = (output: string) => (expected: Printed) => {
  const [pattern, times] = expected instanceof RegExp ? [expected, 1] : expected
  return (output.match(new RegExp(pattern, 'gm'))?.length ?? 0) >= times
}

/** What each step must print, as the document says. */
const printed: Readonly<Record<number, readonly Printed[]>> = {
  2: [/^1[4-9]\d{4}$/],
  3: [/^0x[0-9a-f]{40} 0x[0-9a-f]{40}$/, [/^declare -x \w+=/, 8]],
  5: [/ ok, 0 wrong, /],
  6: [
    [/^deploying/, 6],
    [/owner \S+ calls/, 4],
  ],
  7: [
    [/"result":"0x/, 4],
    [/is already deployed/, 6],
  ],
  8: [/ ok, 0 wrong, /],
  10: [/"status":"ready"/],
  11: [
    [/is_allocator\{\S+ 1$/, 2],
    [/is_key_of_identity\{\S+ 1$/, 2],
    [/unknown_nonces\{\S+ 0$/, 2],
  ],
  12: [/success/],
  13: [
    /purpose="fill",status="final"\} 1$/,
    /purpose="settlement",status="final"\} 1$/,
    [/Nothing needs to be done/, 2],
  ],
  14: [/^\d{3}$/],
  15: [
    [/open_transactions\{\S+ 0$/, 2],
    [/unsettled\{\S+ 0$/, 2],
  ],
}
