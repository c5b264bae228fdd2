import { privateKeyToAccount } from 'viem/accounts'
import { type Address, toAddress } from '#src/core/units/address.ts'
import { KeyError } from './keyError.ts'
import { type KeyOwner, type KeySource, variableOf } from './keySource.ts'
import { decryptKeystore } from './keystore.ts'
import { openRemoteSigner } from './remoteSigner.ts'
import type { Signer } from './signer.ts'

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
