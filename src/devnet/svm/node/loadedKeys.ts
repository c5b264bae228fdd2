import { type Address, getAddressDecoder } from '@solana/kit'
import { type DecodedMessage, staticRoles } from './decodedTransaction.ts'
import type { LoadedAddresses } from './history.ts'
import type { GetAccount } from './runtime.ts'

type Message = DecodedMessage['compiled']

/** Bytes of a lookup table before its addresses. */
const tableHeader = 56

/** The addresses that a message takes from lookup tables. Those that are not there are left out. */
export function loadAddresses(message: Message, get: GetAccount): LoadedAddresses {
  const lookups = 'addressTableLookups' in message ? (message.addressTableLookups ?? []) : []
  const tables = lookups.map((lookup) => ({
    lookup,
    data: get(lookup.lookupTableAddress)?.data ?? new Uint8Array(),
  }))
  const read = (data: Uint8Array, indexes: readonly number[]) =>
    indexes
      .map((index) => tableHeader + 32 * index)
      .filter((at) => at + 32 <= data.length)
      .map((at) => getAddressDecoder().decode(data, at))
  return {
    writable: tables.flatMap(({ lookup, data }) => read(data, lookup.writableIndexes)),
    readonly: tables.flatMap(({ lookup, data }) => read(data, lookup.readonlyIndexes)),
  }
}

export const allKeys = (message: Message, loaded: LoadedAddresses): readonly Address[] => [
  ...message.staticAccounts,
  ...loaded.writable,
  ...loaded.readonly,
]

export function writableKeys(message: Message, loaded: LoadedAddresses): readonly Address[] {
  const roles = staticRoles(message)
  return [
    ...message.staticAccounts.filter((_, index) => roles[index]?.isWritable),
    ...loaded.writable,
  ]
}
