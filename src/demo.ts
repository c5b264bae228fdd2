import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { runDemo } from '#src/demo/runDemo.ts'
import type { DevnetDescription } from '#src/devnet/describe.ts'

/** `npm run demo`, beside a gateway on its devnet: see the README. */
const options = {
  url: { type: 'string', default: 'http://localhost:4000' },
  devnet: { type: 'string', default: '.crossquote/devnet.json' },
  from: { type: 'string', default: 'ETH@990001' },
  to: { type: 'string', default: 'USDC@990002' },
  amount: { type: 'string', default: '1' },
  refund: { type: 'boolean', default: false },
} as const

try {
  const { devnet, ...args } = parseArgs({ options }).values
  await runDemo(readDescription(devnet), args, process.stdout)
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
