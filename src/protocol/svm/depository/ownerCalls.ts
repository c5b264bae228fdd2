import { type Pubkey, pubkeyBytes } from '#src/core/units/svm/pubkey.ts'
import { i64, u64 } from '#src/protocol/svm/bytes.ts'
import { type Instruction, reads, signs, writes } from '#src/protocol/svm/instruction.ts'
import { programIds } from '#src/protocol/svm/programIds.ts'
import {
  configAddress,
  ledgerAddress,
  programDataAddress,
  vaultAddress,
} from './depositoryAddresses.ts'
import { depositoryCall } from './depositoryCall.ts'

/** Who may do what with the deposits. */
export type DepositoryRoles = Readonly<{
  /** Names the others, and sets limits. */
  owner: Pubkey
  /** Signs payouts. */
  allocator: Pubkey
  /** Gets settlements. */
  payee: Pubkey
}>

const rolesOf = ({ owner, allocator, payee }: DepositoryRoles) =>
  [owner, allocator, payee].map(pubkeyBytes)

/** Works once, for the upgrade authority of the program. */
export const initializeCall = (
  program: Pubkey,
  {
    authority,
    exitSeconds,
    ...roles
  }: DepositoryRoles & Readonly<{ authority: Pubkey; exitSeconds: bigint }>,
): Instruction =>
  depositoryCall(
    program,
    'initialize',
    [
      writes(configAddress(program)),
      signs(writes(authority)),
      writes(vaultAddress(program)),
      reads(programDataAddress(program)),
      reads(programIds.system),
    ],
    [...rolesOf(roles), i64(exitSeconds)],
  )

/** Another payee counts two days later. @param signer the owner until now */
export const configureCall = (
  program: Pubkey,
  signer: Pubkey,
  roles: DepositoryRoles,
): Instruction =>
  depositoryCall(
    program,
    'configure',
    [writes(configAddress(program)), signs(reads(signer))],
    rolesOf(roles),
  )

/** Lets a currency be deposited. Its vault account has to exist: make it in the same transaction. */
export const setLimitCall = (
  program: Pubkey,
  { owner, currency, hourly }: Readonly<{ owner: Pubkey; currency: Pubkey; hourly: bigint }>,
): Instruction =>
  depositoryCall(
    program,
    'set_limit',
    [
      reads(configAddress(program)),
      signs(writes(owner)),
      writes(ledgerAddress(program, currency)),
      reads(currency),
      reads(programIds.system),
    ],
    [pubkeyBytes(currency), u64(hourly)],
  )
