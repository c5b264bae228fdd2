import { readFileSync } from 'node:fs'
import type { Config } from '#src/config/config.ts'
import type { Environment } from '#src/config/environment.ts'
import type { Pubkey } from '#src/core/units/svm/pubkey.ts'
import { keyFileSigner, type SvmSigner } from '#src/protocol/svm/signer.ts'

/** Signers of a process with the role `solver`, on Solana chains. They may be the same. */
export type SvmSigners = Readonly<{
  /** Signs fills, and pays all fees and rent. */
  account: SvmSigner
  /** Signs the payouts of the depositories. */
  allocator: SvmSigner
}>

type KeyVariable = 'SOLVER_SVM_KEYPAIR' | 'ALLOCATOR_SVM_KEYPAIR'

/**
 * Reads the key files of the environment. The allocator's is the solver's, unless the configuration names another
 * account. Undefined if no Solana chain has a program.
 * @param devnetKeys signers of the devnet, for files that the environment does not name
 * @throws Error that names the variable to set, and never contains a key
 */
export function readSvmSigners(
  { svmChains, solver: { svm } }: Pick<Config, 'svmChains' | 'solver'>,
  environment: Pick<Environment, KeyVariable>,
  devnetKeys: readonly SvmSigner[] = [],
): SvmSigners | undefined {
  if (svm === undefined || svmChains.every(({ program }) => program === undefined)) return undefined
  const signerOf = (variable: KeyVariable, pubkey: Pubkey): SvmSigner => {
    const path = environment[variable]
    const known = devnetKeys.find((each) => each.pubkey === pubkey)
    if (path !== undefined) return readKeyFile(variable, path, pubkey)
    if (known !== undefined) return known
    throw new Error(
      `The key of ${pubkey} is missing: set ${variable} to its key file, or leave solver out of ROLES.`,
    )
  }
  const account = signerOf('SOLVER_SVM_KEYPAIR', svm.address)
  const { allocator = svm.address } = svm
  if (allocator !== svm.address)
    return { account, allocator: signerOf('ALLOCATOR_SVM_KEYPAIR', allocator) }
  if (environment.ALLOCATOR_SVM_KEYPAIR !== undefined)
    throw new Error(
      'ALLOCATOR_SVM_KEYPAIR is set, but the configuration names no other account for the allocator: set solver.svm.allocator, or leave the variable out.',
    )
  return { account, allocator: account }
}

/** A file as `solana-keygen` writes it: the 64 bytes of the key and its public key, as a JSON list. */
function readKeyFile(variable: KeyVariable, path: string, expected: Pubkey): SvmSigner {
  const refuse = (reason: string) => new Error(`${variable}: ${reason}`)
  const signer = parseKeyFile(path, refuse)
  if (signer.pubkey === expected) return signer
  throw refuse(`it is the key of ${signer.pubkey}, but the configuration names ${expected}`)
}

function parseKeyFile(path: string, refuse: (reason: string) => Error): SvmSigner {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    const { code = 'it cannot be read' } = error as NodeJS.ErrnoException
    throw refuse(`the key file ${path} cannot be read (${code})`)
  }
  try {
    return keyFileSigner(text)
  } catch {
    throw refuse(`${path} is no key file: it must be a JSON list of 64 bytes`)
  }
}
