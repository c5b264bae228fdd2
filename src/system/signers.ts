import type { Environment } from '#src/environment.ts'
import { type KeySource, toKeySource } from '#src/keys/keySource.ts'
import { readSigner } from '#src/keys/readSigner.ts'
import type { Signer } from '#src/keys/signer.ts'
import type { Address } from '#src/units/address.ts'

/** Who signs in the process with the role `solver`. Both may be the same. */
export type Signers = Readonly<{
  /** Signs fills, and pays all gas. */
  account: Signer
  /** Signs what the depositories pay out. */
  allocator: Signer
}>

/** Whose keys are needed. */
type Needed = Readonly<{
  solver: Readonly<{ address: Address; allocator?: Address | undefined }>
  /** The solver's key where the environment has none. */
  devnetKey?: `0x${string}`
}>

/**
 * The solver's key, which is the devnet's own where none is set, and the allocator's, which is the solver's unless the
 * configuration names another account.
 * @throws Error that says what to set; KeyError where the named source is of no use
 */
export async function readSigners(
  { solver, devnetKey }: Needed,
  environment: Environment,
): Promise<Signers> {
  const { address, allocator: named = address } = solver
  const source = sourceOf(environment, 'SOLVER') ?? devnetSource(devnetKey)
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
  return { account, allocator }
}

const sourceOf = (environment: Environment, owner: 'SOLVER' | 'ALLOCATOR'): KeySource | undefined =>
  toKeySource({
    privateKey: environment[`${owner}_PRIVATE_KEY`],
    keystore: environment[`${owner}_KEYSTORE`],
    password: environment[`${owner}_KEYSTORE_PASSWORD`],
    signerUrl: environment[`${owner}_SIGNER_URL`],
  })

const devnetSource = (privateKey: `0x${string}` | undefined): KeySource | undefined =>
  privateKey === undefined ? undefined : { kind: 'privateKey', privateKey }
