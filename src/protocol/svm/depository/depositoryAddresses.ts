import { type Hex, hexToBytes, stringToBytes } from 'viem'
import { type Pubkey, pubkeyBytes } from '#src/core/units/svm/pubkey.ts'
import { u64 } from '#src/protocol/svm/bytes.ts'
import { findProgramAddress } from '#src/protocol/svm/derivedAddress.ts'
import { programIds } from '#src/protocol/svm/programIds.ts'

/** What tells one deposit from every other. */
export type DepositKey = Readonly<{
  /** The order id: 32 bytes. */
  id: Hex
  /** Gets refunds. */
  depositor: Pubkey
  /** The mint; `svmNative` for SOL. */
  currency: Pubkey
  /** Paid the deposit: a wallet, or a deposit address. */
  sender: Pubkey
  /** Tells deposits apart that are the same in everything else. */
  nonce: bigint
}>

/** @throws RangeError unless the id has 32 bytes */
export function idBytes(id: Hex): Uint8Array {
  const bytes = hexToBytes(id)
  if (bytes.length !== 32) throw new RangeError(`An id has 32 bytes, not ${bytes.length}`)
  return bytes
}

const derive = (program: Pubkey, name: string, seeds: readonly Uint8Array[] = []): Pubkey =>
  findProgramAddress([stringToBytes(name), ...seeds], program).address

export const configAddress = (program: Pubkey): Pubkey => derive(program, 'relay_depository')

/** Holds the deposits: SOL itself, other currencies in its associated token accounts. */
export const vaultAddress = (program: Pubkey): Pubkey => derive(program, 'vault')

/** The limit of payouts of a currency, and the sum that its deposits are owed. */
export const ledgerAddress = (program: Pubkey, currency: Pubkey): Pubkey =>
  derive(program, 'currency', [pubkeyBytes(currency)])

/** What a deposit is owed. It does not exist before the deposit, and is closed when nothing is owed any more. */
export const recordAddress = (
  program: Pubkey,
  { id, depositor, currency, sender, nonce }: DepositKey,
): Pubkey =>
  derive(program, 'deposit', [
    idBytes(id),
    ...[depositor, currency, sender].map(pubkeyBytes),
    u64(nonce),
  ])

/** A deposit address, which nobody has a key of: the program moves what it receives into the vault. */
export const depositAddress = (
  program: Pubkey,
  { id, depositor }: Pick<DepositKey, 'id' | 'depositor'>,
): Pubkey => derive(program, 'address', [idBytes(id), pubkeyBytes(depositor)])

/** Exists once the solver has filled the order. Anyone may have sent it lamports before: its owner counts. */
export const fillMarkerAddress = (
  program: Pubkey,
  { solver, id }: Readonly<{ solver: Pubkey; id: Hex }>,
): Pubkey => derive(program, 'fill', [pubkeyBytes(solver), idBytes(id)])

/** Names the upgrade authority of the program. @source solana-loader-v3-interface: get_program_data_address */
export const programDataAddress = (program: Pubkey): Pubkey =>
  findProgramAddress([pubkeyBytes(program)], programIds.upgradeableLoader).address
