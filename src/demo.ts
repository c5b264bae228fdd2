import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { runDemo } from '#src/demo/runDemo.ts'
import type { DevnetDescription } from '#src/devnet/describe.ts'

/** `npm run demo`, beside a gateway on its devnet: see the README. */
const options = {
  help: { type: 'boolean', default: false },
  url: { type: 'string', default: 'http://localhost:4000' },
  devnet: { type: 'string', default: '.crossquote/devnet.json' },
  from: { type: 'string', default: 'ETH@990001' },
  to: { type: 'string', default: 'USDC@990002' },
  amount: { type: 'string', default: '1' },
  refund: { type: 'boolean', default: false },
} as const

const usage = `npm run demo -- [options]: a request from quote to its end, shown live

  --from SYMBOL@CHAIN  what is paid in (ETH@990001)
  --to SYMBOL@CHAIN    what is paid out (USDC@990002)
  --amount AMOUNT      in whole units of what is paid in (1)
  --refund             has the solver pay back instead of filling
  --url URL            where the gateway is (http://localhost:4000)
  --devnet PATH        the devnet's description (.crossquote/devnet.json)
`

try {
  const { help, devnet, ...args } = parseArgs({ options }).values
  if (help) process.stdout.write(usage)
  else await runDemo(readDescription(devnet), args, process.stdout)
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
}

function readDescription(path: string): DevnetDescription {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    throw new Error(`There is no devnet at ${path}: run \`npm start\` in another terminal first.`)
  }
}
