import type { Hex, LocalAccount, TransactionSerializable } from 'viem'

/** Signs for one account. The key is in this process or in a remote signer. An account of viem is also a signer. */
export type Signer = Readonly<{
  address: `0x${string}`
  signTransaction: (transaction: TransactionSerializable) => Promise<Hex>
  /** EIP-712. */
  signTypedData: LocalAccount['signTypedData']
}>

/** The owner of a key. The key's variables begin with this name in upper case, such as `SOLVER_PRIVATE_KEY`. */
export type KeyOwner = 'solver' | 'allocator' | 'relayer' | 'deployer' | 'sweeper'

/** The source of a key. */
export type KeySource =
  | Readonly<{ kind: 'privateKey'; privateKey: `0x${string}` }>
  /** A version 3 keystore file, as wallets export it. */
  | Readonly<{ kind: 'keystore'; path: string; password: string }>
  /** Base URL of a Web3Signer in eth1 mode. The key never reaches this process. */
  | Readonly<{ kind: 'remoteSigner'; url: string }>

const suffixes = {
  privateKey: 'PRIVATE_KEY',
  keystore: 'KEYSTORE',
  remoteSigner: 'SIGNER_URL',
} as const satisfies Record<KeySource['kind'], string>

/** The environment variable that names a source. */
export const variableOf = (owner: KeyOwner, kind: KeySource['kind']): string =>
  `${owner.toUpperCase()}_${suffixes[kind]}`

/** The source in the variables of a key. At most one of the three sources is set. Undefined if none is set. */
export function toKeySource({
  privateKey,
  keystore,
  password = '',
  signerUrl,
}: Readonly<{
  privateKey: `0x${string}` | undefined
  keystore: string | undefined
  password: string | undefined
  signerUrl: string | undefined
}>): KeySource | undefined {
  if (keystore !== undefined) return { kind: 'keystore', path: keystore, password }
  if (signerUrl !== undefined) return { kind: 'remoteSigner', url: signerUrl }
  return privateKey === undefined ? undefined : { kind: 'privateKey', privateKey }
}
