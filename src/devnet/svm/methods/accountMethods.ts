import type { Address } from '@solana/kit'
import { z } from 'zod'
import { token2022Program, tokenProgram } from '#src/devnet/svm/node/addresses.ts'
import { type Accounts, type Bank, lamportsOf } from '#src/devnet/svm/node/bank.ts'
import type { Account } from '#src/devnet/svm/node/runtime.ts'
import {
  isTokenProgram,
  parseMint,
  parseTokenAccount,
  tokenAmount,
} from '#src/devnet/svm/node/tokens.ts'
import { accountJson, type DataOptions, dataOptions } from './accountJson.ts'
import {
  address,
  blockFor,
  inContext,
  type Method,
  method,
  options,
  readBytes,
  reading,
  whole,
} from './params.ts'
import { invalidParams } from './rpcError.ts'

const maxAccounts = 100
const maxFilters = 4
const maxComparedBytes = 128

const readOptions = options(reading)
const formatted = { ...reading, ...dataOptions }

const filter = z.union([
  z.strictObject({ dataSize: whole }),
  z.strictObject({
    memcmp: z.strictObject({
      offset: whole,
      bytes: z.string().max(2 * maxComparedBytes),
      encoding: z.enum(['base58', 'base64']).nullish(),
    }),
  }),
])

const programOptions = options({
  ...formatted,
  filters: z.array(filter).max(maxFilters, 'Too many filters provided; max 4').nullish(),
  withContext: z.boolean().nullish(),
  sortResults: z.boolean().nullish(),
})

const tokenFilter = z.union([
  z.strictObject({ mint: address }),
  z.strictObject({ programId: address }),
])

/** Methods about accounts. */
export const accountMethods = (bank: Bank): Record<string, Method> => ({
  getBalance: method(z.tuple([address, readOptions]), ([account, read]) => {
    const block = blockFor(bank, read)
    return inContext(block, lamportsOf(bank.accountsAt(block).get(account)))
  }),
  getAccountInfo: method(z.tuple([address, options(formatted)]), ([account, read]) => {
    const block = blockFor(bank, read)
    const { get } = bank.accountsAt(block)
    return inContext(block, accountJson(get(account), read, get))
  }),
  getMultipleAccounts: method(
    z.tuple([z.array(address).max(maxAccounts), options(formatted)]),
    ([accounts, read]) => {
      const block = blockFor(bank, read)
      const { get } = bank.accountsAt(block)
      // Here the encoding is base64 unless another one is asked for.
      const format = { ...read, encoding: read?.encoding ?? ('base64' as const) }
      return inContext(
        block,
        accounts.map((each) => accountJson(get(each), format, get)),
      )
    },
  ),
  getProgramAccounts: method(z.tuple([address, programOptions]), ([program, read]) => {
    const block = blockFor(bank, read)
    const accounts = bank.accountsAt(block)
    const matches = (read?.filters ?? []).map(matcherOf)
    const found = accounts
      .ofProgram(program)
      .filter((account) => matches.every((match) => match(account)))
    const listed = keyedJson(found, read, accounts)
    return read?.withContext ? inContext(block, listed) : listed
  }),
  getTokenAccountsByOwner: method(
    z.tuple([address, tokenFilter, options(formatted)]),
    ([owner, wanted, read]) => {
      const block = blockFor(bank, read)
      const accounts = bank.accountsAt(block)
      const isWanted = tokenMatcherOf(accounts, wanted)
      const found = [tokenProgram, token2022Program]
        .flatMap(accounts.ofProgram)
        .filter((account) => isWanted(account) && parseTokenAccount(account)?.owner === owner)
      return inContext(block, keyedJson(found, read, accounts))
    },
  ),
  getTokenAccountBalance: method(z.tuple([address, readOptions]), ([account, read]) => {
    const block = blockFor(bank, read)
    const { get } = bank.accountsAt(block)
    if (get(account) === undefined) throw invalidParams('Invalid param: could not find account')
    const held = parseTokenAccount(get(account))
    const decimals = held && parseMint(get(held.mint))?.decimals
    if (decimals === undefined) throw invalidParams('Invalid param: not a Token account')
    return inContext(block, tokenAmount(held?.amount ?? 0n, decimals))
  }),
})

/** By address, so that the sequence is the same in every run. */
const keyedJson = (
  found: readonly Account[],
  format: DataOptions | null | undefined,
  { get }: Accounts,
) =>
  found
    .toSorted((one, other) => (one.address < other.address ? -1 : 1))
    .map((account) => ({ pubkey: account.address, account: accountJson(account, format, get) }))

type Matcher = (account: Account) => boolean

function matcherOf(wanted: z.output<typeof filter>): Matcher {
  if ('dataSize' in wanted) return ({ data }) => data.length === wanted.dataSize
  const { offset, bytes, encoding } = wanted.memcmp
  const compared = readBytes(bytes, encoding ?? 'base58')
  if (compared.length > maxComparedBytes)
    throw invalidParams('Invalid param: encoded binary too large')
  return ({ data }) =>
    Buffer.compare(data.subarray(offset, offset + compared.length), compared) === 0
}

function tokenMatcherOf(accounts: Accounts, wanted: z.output<typeof tokenFilter>): Matcher {
  if ('programId' in wanted) {
    if (!isTokenProgram(wanted.programId))
      throw invalidParams('Invalid param: unrecognized Token program id')
    return ({ owner }) => owner === wanted.programId
  }
  const mint: Address = wanted.mint
  if (parseMint(accounts.get(mint)) === undefined)
    throw invalidParams('Invalid param: could not find mint')
  return (account) => parseTokenAccount(account)?.mint === mint
}
