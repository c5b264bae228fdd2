import { randomBytes, scryptSync } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import * as Keystore from 'ox/Keystore'
import { bytesToHex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { runCommand, UsageError } from '#src/config/command.ts'

const command = {
  usage: 'npm run keystore -- --out <file> --password-file <file>',
  help: `
Draws a new private key, writes it as a keystore, and prints its address. An existing file is never replaced.

  --out FILE            the new keystore
  --password-file FILE  a file with its password, of at least 12 characters`,
  options: { out: { type: 'string' }, 'password-file': { type: 'string' } },
} as const

type Given = Readonly<{ out?: string | undefined; 'password-file'?: string | undefined }>

/** Parameters of go-ethereum's keystores: 256 MiB and about a second for each guess of the password. */
const cost = { N: 2 ** 18, r: 8, p: 1 } as const

/**
 * `npm run keystore`: draws a new private key, writes it as a version 3 keystore, and returns its address. Only the
 * owner of the file can read it. An existing file is never replaced.
 */
function makeKeystore({ out, 'password-file': passwordFile }: Given): string {
  if (out === undefined || passwordFile === undefined) throw new UsageError()
  const password = readFileSync(passwordFile, 'utf8').replace(/\r?\n$/, '')
  if (password.length < 12) throw new Error(`${passwordFile}: use at least 12 characters`)
  const privateKey = bytesToHex(randomBytes(32))
  const salt = randomBytes(32)
  const key = scryptSync(password, salt, 32, { ...cost, maxmem: 2 ** 29 })
  const keystore = Keystore.encrypt(privateKey, bytesToHex(key), {
    kdf: 'scrypt',
    kdfparams: { dklen: 32, n: cost.N, r: cost.r, p: cost.p, salt: salt.toString('hex') },
    iv: randomBytes(16),
  })
  writeFileSync(out, `${JSON.stringify(keystore)}\n`, { mode: 0o600, flag: 'wx' })
  return privateKeyToAddress(privateKey).toLowerCase()
}

await runCommand(command, ({ values }) => makeKeystore(values))
