import { readFileSync } from 'node:fs'
import * as Keystore from 'ox/Keystore'
import { z } from 'zod'
import type { KeySource } from './keySource.ts'

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
 * The private key in a keystore file.
 * @param refuse makes the error to throw from a reason, which never contains the key, the password or content of the file
 */
export async function decryptKeystore(
  { path, password }: Extract<KeySource, { kind: 'keystore' }>,
  refuse: (reason: string) => Error,
): Promise<string> {
  const file = readKeystore(path, refuse)
  try {
    const key = await Keystore.toKeyAsync(file, { password })
    return Keystore.decrypt(file, key)
  } catch {
    throw refuse(`the keystore ${path} does not open with its password`)
  }
}

function readKeystore(path: string, refuse: (reason: string) => Error): Keystore.Keystore {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'it cannot be read'
    throw refuse(`the keystore ${path} cannot be read (${reason})`)
  }
  try {
    return keystore.parse(JSON.parse(text)) as Keystore.Keystore
  } catch {
    throw refuse(`${path} is not a version 3 keystore file`)
  }
}
