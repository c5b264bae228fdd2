import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { DevnetDescription } from '#src/devnet/describeDevnet.ts'
import { runDemo } from './runDemo.ts'

/** `npm run demo`: runs against a gateway that `npm start` started with its devnet. */
const options = {
  help: { type: 'boolean', default: false },
  url: { type: 'string', default: 'http://localhost:4000' },
  devnet: { type: 'string', default: '.crossquote/devnet.json' },
  from: { type: 'string', default: 'ETH@990001' },
  to: { type: 'string', default: 'USDC@990002' },
  amount: { type: 'string', default: '1' },
  refund: { type: 'boolean', default: false },
  '7702': { type: 'boolean', default: false },
  'deposit-address': { type: 'boolean', default: false },
  permit: { type: 'boolean', default: false },
} as const

const usage = `npm run demo -- [options]: runs a request from its quote to its end and shows its status live

  --from SYMBOL@CHAIN  origin currency (ETH@990001)
  --to SYMBOL@CHAIN    destination currency (USDC@990002)
  --amount AMOUNT      input amount in whole units (1)
  --7702               gives a new account code (EIP-7702) in the fill, which pays it --amount of the destination currency
  --refund             lets the solver refund the deposit instead of filling the request
  --deposit-address    pays an address, as an exchange does, in place of calling a contract
  --permit             signs the payment of a currency in place of sending it: the solver sends it, and the user needs no gas
  --url URL            URL of the gateway (http://localhost:4000)
  --devnet PATH        path of the devnet's description (.crossquote/devnet.json)
`

function readDescription(path: string): DevnetDescription {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    throw new Error(`Cannot read ${path}. Run \`npm start\` in another terminal first.`)
  }
}

try {
  const {
    help,
    devnet,
    '7702': delegates,
    'deposit-address': depositAddress,
    ...args
  } = parseArgs({ options }).values
  if (help) process.stdout.write(usage)
  else
    await runDemo(readDescription(devnet), { ...args, delegates, depositAddress }, process.stdout)
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
}
