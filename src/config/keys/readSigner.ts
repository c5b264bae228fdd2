import { pbkdf2, type ScryptOptions, scrypt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import * as Keystore from 'ox/Keystore'
import { bytesToHex, hexToBytes } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { z } from 'zod'
import { type Address, toAddress } from '#src/core/units/address.ts'
import { openRemoteSigner } from './remoteSigner.ts'
import { type KeyOwner, type KeySource, type Signer, variableOf } from './signer.ts'

/**
 * The signer of `owner`, from any source. Errors never contain the key, the password or file content.
 * @param expected the account in the configuration; undefined: the account of the key, or the only one of a remote
 * signer
 * @throws KeyError if the source has no key, does not answer, or does not have the key of `expected`
 */
export async function readSigner(
  owner: KeyOwner,
  source: KeySource,
  expected?: Address,
): Promise<Signer> {
  const refuse = (reason: string) => new KeyError(owner, variableOf(owner, source.kind), reason)
  if (source.kind === 'remoteSigner') return openRemoteSigner(source.url, expected, refuse)
  const key = source.kind === 'keystore' ? await decryptKeystore(source, refuse) : source.privateKey
  const signer = toSigner(key, refuse)
  const found = toAddress(signer.address)
  if (expected !== undefined && found !== expected)
    throw refuse(`it belongs to ${found}, but the configuration names ${expected} as the ${owner}`)
  return signer
}

function toSigner(key: string, refuse: (reason: string) => Error): Signer {
  try {
    return privateKeyToAccount(key as `0x${string}`)
  } catch {
    throw refuse('it is not a private key')
  }
}

/** A key cannot be used. The message names its variable, and never contains the key, the password or file content. */
class KeyError extends Error {
  constructor(owner: KeyOwner, variable: string, reason: string) {
    super(`The ${owner}’s key cannot be used (${variable}): ${reason}`)
    this.name = 'KeyError'
  }
}

const pbkdf2Async = promisify(pbkdf2)
const scryptAsync = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)
/** In bytes. The usual parameters need 256 MiB. */
const maxScryptMemory = 1_100_000_000

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

type KeystoreFile = z.infer<typeof keystore>

/** Ox's type has only the name of the key derivation. */
const toOx = (file: KeystoreFile) => file as Keystore.Keystore

/**
 * Uses Node's native functions: in JavaScript the usual parameters take seconds. Only where OpenSSL refuses the
 * parameters, as those of the format's published example (r = 1 with n = 2^18), it is JavaScript.
 */
function deriveKey(
  { kdf, kdfparams }: KeystoreFile['crypto'],
  password: string,
): Promise<Uint8Array> {
  const salt = Buffer.from(kdfparams.salt, 'hex')
  const { dklen } = kdfparams
  if (kdf === 'pbkdf2') return pbkdf2Async(password, salt, kdfparams.c, dklen, 'sha256')
  const { n: N, r, p } = kdfparams
  if (N < 2 ** (16 * r))
    return scryptAsync(password, salt, dklen, { N, r, p, maxmem: maxScryptMemory })
  const [key] = Keystore.scrypt({ password, salt, n: N, r, p })
  return Promise.resolve(hexToBytes(typeof key === 'function' ? key() : key))
}

/**
 * The private key in a keystore file.
 * @param refuse creates the error to throw from a reason. The reason never contains the key, the password or file
 * content.
 */
async function decryptKeystore(
  { path, password }: Extract<KeySource, { kind: 'keystore' }>,
  refuse: (reason: string) => Error,
): Promise<string> {
  const file = readKeystore(path, refuse)
  try {
    return Keystore.decrypt(toOx(file), bytesToHex(await deriveKey(file.crypto, password)))
  } catch {
    throw refuse(`the keystore ${path} does not open with its password`)
  }
}

function readKeystore(path: string, refuse: (reason: string) => Error): KeystoreFile {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'it cannot be read'
    throw refuse(`the keystore ${path} cannot be read (${reason})`)
  }
  try {
    return keystore.parse(JSON.parse(text))
  } catch {
    throw refuse(`${path} is not a version 3 keystore file`)
  }
}
