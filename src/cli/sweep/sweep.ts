import { parseArgs } from 'node:util'
import { z } from 'zod'
import { checkKeySource, keyVariables, readVariables } from '#src/config/environment.ts'
import { toKeySource } from '#src/config/keys/keySource.ts'
import { readSigner } from '#src/config/keys/readSigner.ts'
import { messageOf } from '#src/core/errors.ts'
import { type Address, nativeAddress, toAddress } from '#src/core/units/address.ts'
import { sweepAddress } from './sweepAddress.ts'

const usage =
  'Usage: npm run sweep -- --rpc <url> --factory <address> --order <id> --depositor <address> [--currency <address>]…'

/** `npm run sweep`: see docs/deposits.md. */
async function sweep(): Promise<void> {
  const text = { type: 'string' } as const
  const options = {
    rpc: text,
    factory: text,
    order: text,
    depositor: text,
    currency: { type: 'string', multiple: true },
  } as const
  const {
    rpc,
    factory,
    order,
    depositor,
    currency = [nativeAddress],
  } = parseArgs({ options }).values
  if (rpc === undefined || !URL.canParse(rpc) || factory === undefined) throw new Error(usage)
  if (order === undefined || depositor === undefined) throw new Error(usage)
  if (!/^0x[0-9a-fA-F]{64}$/.test(order)) throw new Error('--order must be 32 bytes: 0x…')
  const source = readVariables(environment, process.env)
  await sweepAddress({
    rpcUrl: rpc,
    factory: addressOf('factory', factory),
    terms: {
      orderId: order.toLowerCase() as `0x${string}`,
      depositor: addressOf('depositor', depositor),
    },
    currencies: currency.map((each) => addressOf('currency', each)),
    account: source && (await readSigner('sweeper', source)),
    report: (line) => process.stdout.write(`${line}\n`),
  })
}

function addressOf(option: string, given: string): Address {
  try {
    return toAddress(given)
  } catch (error) {
    throw new Error(`--${option}: ${(error as Error).message}`)
  }
}

/** The account that pays the gas. Nothing is sent without one. */
const environment = z.object(keyVariables('SWEEPER')).transform((variables, context) => {
  checkKeySource('SWEEPER', variables, (path, message) =>
    context.addIssue({ code: 'custom', path: [path], message }),
  )
  return toKeySource({
    privateKey: variables.SWEEPER_PRIVATE_KEY,
    keystore: variables.SWEEPER_KEYSTORE,
    password: variables.SWEEPER_KEYSTORE_PASSWORD,
    signerUrl: variables.SWEEPER_SIGNER_URL,
  })
})

try {
  await sweep()
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`)
  process.exitCode = 1
}
