import { type Hex, hexToBytes } from 'viem'
import { type Account, toAddress } from './address.ts'
import { pubkeyBytes, toPubkey } from './svm/pubkey.ts'

const isHex = (text: string): text is Hex => text.startsWith('0x')

/**
 * Accepts the forms of both virtual machines: those of `toAddress`, and 32 bytes in base58.
 * @throws RangeError for anything else
 */
export const toAccount = (text: string): Account => (isHex(text) ? toAddress(text) : toPubkey(text))

/** Whether the accounts belong to the same virtual machine. */
export const isSameVm = (one: Account, other: Account): boolean => isHex(one) === isHex(other)

/** The bytes of an account, as orders hash it: 20 of an EVM address, 32 of a public key. */
export const accountBytes = (account: Account): Uint8Array =>
  isHex(account) ? hexToBytes(account) : pubkeyBytes(toPubkey(account))
