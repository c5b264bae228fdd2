import { readFileSync } from 'node:fs'
import * as Keystore from 'ox/Keystore'
import type { LocalAccount } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { z } from 'zod'
import type { Address } from '#src/units/address.ts'

/** Where the solver's private key comes from. */
export type AccountSource =
  | Readonly<{ kind: 'privateKey'; privateKey: `0x${string}` }>
  /** A version 3 keystore file, as wallets export it. */
  | Readonly<{ kind: 'keystore'; path: string; password: string }>

/** The solver's key is unusable. The message never contains the key. */
class SolverKeyError extends Error {
  constructor(reason: string) {
    super(`The solver’s key cannot be used: ${reason}`)
    this.name = 'SolverKeyError'
  }
}

const hex = z.string().regex(/^[0-9a-f]+$/i)
const shared = {
  cipher: z.literal('aes-128-ctr'),
  ciphertext: hex,
  cipherparams: z.object({ iv: hex }),
  mac: hex,
}
const count = z.int().positive()
const keystore = z.object({
  version: z.literal(3),
  id: z.string().default(''),
  crypto: z.discriminatedUnion('kdf', [
    z.object({
      ...shared,
      kdf: z.literal('scrypt'),
      kdfparams: z.object({ dklen: count, n: count, p: count, r: count, salt: hex }),
    }),
    z.object({
      ...shared,
      kdf: z.literal('pbkdf2'),
      kdfparams: z.object({
        c: count,
        dklen: count,
        prf: z.literal('hmac-sha256'),
        salt: hex,
      }),
    }),
  ]),
})

/**
 * The account that fills and refunds. Errors never contain the key, the password or content of the file.
 * @throws SolverKeyError if `source` has no key, or the key of another account than `expected`
 */
export async function readAccount(source: AccountSource, expected: Address): Promise<LocalAccount> {
  const account = toAccount(await keyOf(source))
  if (account.address.toLowerCase() !== expected)
    throw new SolverKeyError(
      `it belongs to ${account.address.toLowerCase()}, but the configuration names ${expected} as the solver`,
    )
  return account
}

function keyOf(source: AccountSource): Promise<string> | string {
  switch (source.kind) {
    case 'privateKey':
      return source.privateKey
    case 'keystore':
      return decrypt(source)
  }
}

function toAccount(key: string): LocalAccount {
  try {
    return privateKeyToAccount(key as `0x${string}`)
  } catch {
    throw new SolverKeyError('it is not a private key')
  }
}

async function decrypt({ path, password }: Extract<AccountSource, { kind: 'keystore' }>) {
  const file = readKeystore(path)
  try {
    const key = await Keystore.toKeyAsync(file, { password })
    return Keystore.decrypt(file, key)
  } catch {
    throw new SolverKeyError(`the keystore ${path} does not open with its password`)
  }
}

function readKeystore(path: string): Keystore.Keystore {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'it cannot be read'
    throw new SolverKeyError(`the keystore ${path} cannot be read (${reason})`)
  }
  try {
    return keystore.parse(JSON.parse(text)) as Keystore.Keystore
  } catch {
    throw new SolverKeyError(`${path} is not a version 3 keystore file`)
  }
}
