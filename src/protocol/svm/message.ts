import { concatBytes } from 'viem'
import { decodeBase58 } from '#src/core/units/svm/base58.ts'
import { type Blockhash, blockhashOf } from '#src/core/units/svm/blockhash.ts'
import { type Pubkey, pubkeyBytes } from '#src/core/units/svm/pubkey.ts'
import { ByteReader, compactLength, LayoutError } from './bytes.ts'
import type { CalledInstruction, Instruction } from './instruction.ts'

/** What a transaction does, and until when it may land. */
export type Message = Readonly<{
  /** Signs first, and pays the fee. */
  payer: Pubkey
  instructions: readonly Instruction[]
  /** A recent block hash; the value of a nonce account if the first instruction advances it. */
  lifetime: Blockhash
}>

type Version = 'legacy' | 0

type Role = { isSigner: boolean; isWritable: boolean }

/** Every account with the most that an instruction asks of it, in the order of their first use. */
function rolesOf({ payer, instructions }: Message): Map<Pubkey, Role> {
  const roles = new Map<Pubkey, Role>([[payer, { isSigner: true, isWritable: true }]])
  const add = (pubkey: Pubkey, { isSigner, isWritable }: Role) => {
    const known = roles.get(pubkey)
    roles.set(pubkey, {
      isSigner: isSigner || known?.isSigner === true,
      isWritable: isWritable || known?.isWritable === true,
    })
  }
  for (const { programId, keys } of instructions) {
    add(programId, { isSigner: false, isWritable: false })
    for (const { pubkey, ...role } of keys) add(pubkey, role)
  }
  return roles
}

/** Signers first, and of both parts the writable ones first. */
const rank = ({ isSigner, isWritable }: Role): number => (isSigner ? 0 : 2) + (isWritable ? 0 : 1)

const list = (items: readonly Uint8Array[]): Uint8Array =>
  concatBytes([compactLength(items.length), ...items])

const withLength = (bytes: Uint8Array): Uint8Array =>
  concatBytes([compactLength(bytes.length), bytes])

/**
 * The bytes that the signers sign, without lookup tables. Accounts of the same rank stand in the order of their first
 * use, as in @solana/web3.js.
 * @throws RangeError for more than 256 accounts, which an instruction cannot name
 */
export function encodeMessage(message: Message, version: Version = 0): Uint8Array {
  const ranked = [...rolesOf(message)].sort(([, one], [, other]) => rank(one) - rank(other))
  if (ranked.length > 256) throw new RangeError('A transaction has at most 256 accounts')
  const places = new Map(ranked.map(([pubkey], place) => [pubkey, place]))
  const placeOf = (pubkey: Pubkey): number => places.get(pubkey) ?? 0
  const count = (has: (role: Role) => boolean) => ranked.filter(([, role]) => has(role)).length
  const header = [
    count(({ isSigner }) => isSigner),
    count(({ isSigner, isWritable }) => isSigner && !isWritable),
    count(({ isSigner, isWritable }) => !isSigner && !isWritable),
  ]
  const instructions = message.instructions.map(({ programId, keys, data }) =>
    concatBytes([
      Uint8Array.of(placeOf(programId)),
      withLength(Uint8Array.from(keys, ({ pubkey }) => placeOf(pubkey))),
      withLength(data),
    ]),
  )
  const parts = [
    Uint8Array.from(header),
    list(ranked.map(([pubkey]) => pubkeyBytes(pubkey))),
    decodeBase58(message.lifetime),
    list(instructions),
  ]
  return concatBytes(
    version === 'legacy' ? parts : [Uint8Array.of(0x80 | version), ...parts, list([])],
  )
}

/** A message that was read. */
export type DecodedMessage = Readonly<{
  version: Version
  /** In the order of their signatures. The first one pays. */
  signers: readonly Pubkey[]
  writable: ReadonlySet<Pubkey>
  lifetime: Blockhash
  instructions: readonly CalledInstruction[]
}>

/** The accounts that lookup tables added to a transaction, as a node answers them. */
export type LoadedAddresses = Readonly<{
  writable: readonly Pubkey[]
  readonly: readonly Pubkey[]
}>

/**
 * @param loaded the accounts of lookup tables. An instruction that uses one cannot be read without them.
 * @throws LayoutError for anything but a legacy message or one of version 0
 */
export function decodeMessage(
  bytes: Uint8Array,
  loaded: LoadedAddresses = { writable: [], readonly: [] },
): DecodedMessage {
  const reader = new ByteReader(bytes)
  const first = reader.u8()
  if (first > 0x80) throw new LayoutError(`a message of version ${first & 0x7f}`)
  const version = first === 0x80 ? 0 : 'legacy'
  const signatures = version === 0 ? reader.u8() : first
  const [readonlySigners, readonlyOthers] = [reader.u8(), reader.u8()]
  const own = readList(reader, () => reader.pubkey())
  const lifetime = blockhashOf(reader.take(32))
  const all = [...own, ...loaded.writable, ...loaded.readonly]
  const accountAt = (place: number): Pubkey => {
    const pubkey = all[place]
    if (pubkey === undefined) throw new LayoutError(`no account ${place}`)
    return pubkey
  }
  const instructions = readList(reader, () => ({
    programId: accountAt(reader.u8()),
    accounts: [...reader.take(reader.compactLength())].map(accountAt),
    data: reader.take(reader.compactLength()),
  }))
  if (version === 0)
    readList(reader, () => {
      reader.take(32)
      reader.take(reader.compactLength())
      reader.take(reader.compactLength())
    })
  if (reader.left > 0) throw new LayoutError('bytes after the end')
  if (signatures > own.length) throw new LayoutError('more signatures than accounts')
  const signers = own.slice(0, signatures)
  const writable = new Set([
    ...signers.slice(0, Math.max(0, signatures - readonlySigners)),
    ...own.slice(signatures, Math.max(signatures, own.length - readonlyOthers)),
    ...loaded.writable,
  ])
  return { version, signers, writable, lifetime, instructions }
}

/** The items of a list that begins with their number. */
export const readList = <Item>(reader: ByteReader, read: () => Item): Item[] =>
  Array.from({ length: reader.compactLength() }, read)

/** The instructions of a message, to make another message of them. */
export const instructionsOf = ({
  signers,
  writable,
  instructions,
}: DecodedMessage): readonly Instruction[] =>
  instructions.map(({ programId, accounts, data }) => ({
    programId,
    keys: accounts.map((pubkey) => ({
      pubkey,
      isSigner: signers.includes(pubkey),
      isWritable: writable.has(pubkey),
    })),
    data,
  }))
