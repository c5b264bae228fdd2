import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from '#src/config/command.ts'
import { readEnvironment } from '#src/config/environment.ts'
import type { DevnetDescription } from '#src/devnet/describeDevnet.ts'
import { runDemo } from './runDemo.ts'

/** `npm run demo`: runs against a gateway that `npm start` started with its devnet. */
const options = {
  url: { type: 'string' },
  devnet: { type: 'string' },
  from: { type: 'string', default: 'ETH@990001' },
  to: { type: 'string', default: 'USDC@990002' },
  amount: { type: 'string', default: '1' },
  refund: { type: 'boolean', default: false },
  '7702': { type: 'boolean', default: false },
  'deposit-address': { type: 'boolean', default: false },
  permit: { type: 'boolean', default: false },
} as const

const command = {
  usage: 'npm run demo [-- <options>]',
  help: `
Runs a request from its quote to its end and shows its status live.

  --from SYMBOL@CHAIN  origin currency (ETH@990001)
  --to SYMBOL@CHAIN    destination currency (USDC@990002)
  --amount AMOUNT      input amount in whole units (1)
  --7702               gives a new account code (EIP-7702) in the fill, which pays it --amount of the destination currency
  --refund             lets the solver refund the deposit instead of filling the request
  --deposit-address    pays an address, as an exchange does, in place of calling a contract
  --permit             signs the payment of a currency in place of sending it: the solver sends it, and the user needs no gas
  --url URL            URL of the gateway (the port PORT of this machine, 4000 by default)
  --devnet PATH        path of the devnet's description (devnet.json in DATA_DIRECTORY, .crossquote by default)`,
  options,
} as const

function readDescription(path: string): DevnetDescription {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    throw new Error(`Cannot read ${path}. Run \`npm start\` in another terminal first.`)
  }
}

await runCommand(command, async ({ values }) => {
  const { PORT: port, DATA_DIRECTORY: directory } = readEnvironment(process.env)
  const {
    url = `http://localhost:${port}`,
    devnet = join(directory, 'devnet.json'),
    '7702': delegates,
    'deposit-address': depositAddress,
    ...args
  } = values
  await runDemo(
    readDescription(devnet),
    { ...args, url, delegates, depositAddress },
    process.stdout,
  )
})
