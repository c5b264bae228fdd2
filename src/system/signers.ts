import type { Environment } from '#src/config/environment.ts'
import { readSigner } from '#src/config/keys/readSigner.ts'
import { type KeySource, type Signer, toKeySource } from '#src/config/keys/signer.ts'
import type { Address } from '#src/core/units/address.ts'

/** Signers of a process with the role `solver`. The first two may be the same. */
export type Signers = Readonly<{
  /** Signs fills, and pays all gas. */
  account: Signer
  /** Signs the payouts of the depositories. */
  allocator: Signer
  /** Signs the calls of API keys. Undefined where the configuration names no relayer. */
  relayer: Signer | undefined
}>

/** The accounts whose keys are needed. */
type Needed = Readonly<{
  solver: Readonly<{ address: Address; allocator?: Address | undefined }>
  relayer?: Readonly<{ address: Address }> | undefined
  /** Default keys of the devnet, for those missing in the environment. */
  devnetKeys?: Readonly<Record<'solver' | 'relayer', `0x${string}`>> | undefined
}>

/**
 * Reads the keys of the environment. The solver's and the relayer's default to the devnet's keys. The allocator's is
 * the solver's key, unless the configuration names another account.
 * @throws Error that names the variable to set; KeyError if the named source is unusable
 */
export async function readSigners(needed: Needed, environment: Environment): Promise<Signers> {
  const { solver, devnetKeys } = needed
  const { address, allocator: named = address } = solver
  const source = sourceOf(environment, 'SOLVER') ?? devnetSource(devnetKeys?.solver)
  if (source === undefined)
    throw new Error(
      'The solver has no key: set SOLVER_PRIVATE_KEY, SOLVER_KEYSTORE or SOLVER_SIGNER_URL, or leave solver out of ROLES.',
    )
  const allocatorSource = sourceOf(environment, 'ALLOCATOR')
  if (named === address && allocatorSource !== undefined)
    throw new Error(
      'The allocator has a key of its own, but the configuration names no other account for it: set solver.allocator, or leave the key out.',
    )
  if (named !== address && allocatorSource === undefined)
    throw new Error(
      'The allocator has no key: set ALLOCATOR_PRIVATE_KEY, ALLOCATOR_KEYSTORE or ALLOCATOR_SIGNER_URL, or leave solver.allocator out of the configuration.',
    )
  const account = await readSigner('solver', source, address)
  const allocator =
    allocatorSource === undefined ? account : await readSigner('allocator', allocatorSource, named)
  const relayer = await readRelayer(needed, environment)
  return { account, allocator, relayer }
}

/** @throws Error that names the variable to set; KeyError */
async function readRelayer(
  { relayer, devnetKeys }: Needed,
  environment: Environment,
): Promise<Signer | undefined> {
  const named = sourceOf(environment, 'RELAYER')
  if (relayer === undefined) {
    if (named === undefined) return undefined
    throw new Error(
      'The relayer has a key, but the configuration names no account for it: set relayer.address, or leave the key out.',
    )
  }
  const source = named ?? devnetSource(devnetKeys?.relayer)
  if (source === undefined)
    throw new Error(
      'The relayer has no key: set RELAYER_PRIVATE_KEY, RELAYER_KEYSTORE or RELAYER_SIGNER_URL, or leave relayer out of the configuration.',
    )
  return readSigner('relayer', source, relayer.address)
}

const sourceOf = (
  environment: Environment,
  owner: 'SOLVER' | 'ALLOCATOR' | 'RELAYER',
): KeySource | undefined =>
  toKeySource({
    privateKey: environment[`${owner}_PRIVATE_KEY`],
    keystore: environment[`${owner}_KEYSTORE`],
    password: environment[`${owner}_KEYSTORE_PASSWORD`],
    signerUrl: environment[`${owner}_SIGNER_URL`],
  })

const devnetSource = (privateKey: `0x${string}` | undefined): KeySource | undefined =>
  privateKey === undefined ? undefined : { kind: 'privateKey', privateKey }
