/** @import { SvmTransaction } from '#src/page/api/answers.ts' */
import { decodeBase58 } from '#src/page/accounts/svm/base58.js'

const signatureBytes = 64

/**
 * The bytes of a transaction of version 0 without lookup tables, with zeros in place of its signatures.
 * @param {Pick<SvmTransaction, 'payer' | 'instructions'>} transaction
 * @param {string} blockhash a recent one, in base58.
 * @returns {Uint8Array<ArrayBuffer>}
 * @source solana-message: v0::Message
 */
export function unsignedTransaction({ payer, instructions }, blockhash) {
  const accounts = accountsOf(payer, instructions)
  const places = new Map(accounts.map(({ pubkey }, place) => [pubkey, place]))
  const placeOf = (/** @type {string} */ pubkey) => places.get(pubkey) ?? 0
  const count = (/** @type {(role: Role) => boolean} */ has) => accounts.filter(has).length
  const signers = count(({ isSigner }) => isSigner)
  return Uint8Array.from([
    ...list(Array(signers).fill(Array(signatureBytes).fill(0))),
    0x80,
    signers,
    count(({ isSigner, isWritable }) => isSigner && !isWritable),
    count(({ isSigner, isWritable }) => !isSigner && !isWritable),
    ...list(accounts.map(({ pubkey }) => decodeBase58(pubkey))),
    ...decodeBase58(blockhash),
    ...list(
      instructions.map(({ programId, keys, data }) => [
        placeOf(programId),
        ...list(keys.map(({ pubkey }) => [placeOf(pubkey)])),
        ...list([...bytesOfHex(data)].map((byte) => [byte])),
      ]),
    ),
    ...list([]),
  ])
}

/** @typedef {{ pubkey: string, isSigner: boolean, isWritable: boolean }} Role */

/**
 * Each account once, with the most that an instruction asks of it: signers first, and of both parts the writable ones
 * first. The payer is the first of all.
 * @param {string} payer
 * @param {SvmTransaction['instructions']} instructions
 */
function accountsOf(payer, instructions) {
  /** @type {Map<string, Role>} */
  const roles = new Map()
  const add = (/** @type {Role} */ { pubkey, isSigner, isWritable }) => {
    const known = roles.get(pubkey)
    roles.set(pubkey, {
      pubkey,
      isSigner: isSigner || known?.isSigner === true,
      isWritable: isWritable || known?.isWritable === true,
    })
  }
  add({ pubkey: payer, isSigner: true, isWritable: true })
  for (const { programId, keys } of instructions) {
    add({ pubkey: programId, isSigner: false, isWritable: false })
    for (const key of keys) add(key)
  }
  const rank = (/** @type {Role} */ { isSigner, isWritable }) =>
    (isSigner ? 0 : 2) + (isWritable ? 0 : 1)
  return [...roles.values()].toSorted((one, other) => rank(one) - rank(other))
}

/**
 * The items after their number, which has 7 bits a byte.
 * @param {readonly Iterable<number>[]} items
 * @returns {readonly number[]}
 */
function list(items) {
  const length = []
  for (let rest = items.length; length.length === 0 || rest > 0; rest >>= 7)
    length.push(rest > 0x7f ? (rest & 0x7f) | 0x80 : rest)
  return [...length, ...items.flatMap((item) => [...item])]
}

/** @param {string} hex without 0x. */
const bytesOfHex = (hex) => (hex.match(/../g) ?? []).map((digits) => Number.parseInt(digits, 16))
