import { type Blockhash, blockhashOf } from '#src/core/units/svm/blockhash.ts'
import type { Pubkey } from '#src/core/units/svm/pubkey.ts'
import { type ByteReader, readLayout } from './bytes.ts'
import { programIds } from './programIds.ts'

/** What is read of an account. */
export type AccountData = Readonly<{
  /** The program that it belongs to. */
  owner: Pubkey
  data: Uint8Array
}>

/** The sizes of accounts, which determine their rent. */
export const accountSizes = { nonce: 80, token: 165, mint: 82 } as const

export type NonceAccount = Readonly<{
  authority: Pubkey
  /** Stands in place of a block hash in the next transaction. */
  nonce: Blockhash
}>

/** Undefined unless it is an initialized nonce account. @source solana-nonce: state::Versions::Current */
export function decodeNonceAccount({ owner, data }: AccountData): NonceAccount | undefined {
  if (owner !== programIds.system || data.length !== accountSizes.nonce) return undefined
  return readLayout(data, (reader) => {
    const isCurrent = reader.u32() === 1
    const isInitialized = reader.u32() === 1
    const authority = reader.pubkey()
    const nonce = blockhashOf(reader.take(32))
    return isCurrent && isInitialized ? { authority, nonce } : undefined
  })
}

export type TokenAccount = Readonly<{
  mint: Pubkey
  /** Whose tokens they are: not the program. */
  owner: Pubkey
  amount: bigint
  /** Frozen accounts neither pay nor receive. */
  isFrozen: boolean
  delegate: Pubkey | undefined
  closeAuthority: Pubkey | undefined
}>

/** Undefined unless it is an initialized account of the token program. @source spl-token-interface: Account */
export function decodeTokenAccount({ owner, data }: AccountData): TokenAccount | undefined {
  if (owner !== programIds.token || data.length !== accountSizes.token) return undefined
  return readLayout(data, (reader) => {
    const mint = reader.pubkey()
    const holder = reader.pubkey()
    const amount = reader.u64()
    const delegate = readOptional(reader)
    const state = reader.u8()
    // The rent of an account of wrapped SOL, and the delegated amount.
    reader.take(4 + 8 + 8)
    const closeAuthority = readOptional(reader)
    if (state !== 1 && state !== 2) return undefined
    return { mint, owner: holder, amount, isFrozen: state === 2, delegate, closeAuthority }
  })
}

/** Whether an account holds tokens of `mint` for `owner`, who may have given it to another account. */
export function isTokenAccountOf(
  account: AccountData | undefined,
  { owner, mint }: Readonly<{ owner: Pubkey; mint: Pubkey }>,
): boolean {
  const tokens = account && decodeTokenAccount(account)
  return tokens?.owner === owner && tokens.mint === mint
}

/** What a token account can pay: 0 if it is missing, frozen, or of another mint. */
export function tokensIn(account: AccountData | undefined, mint: Pubkey): bigint {
  const tokens =
    account?.data.length === accountSizes.token ? decodeTokenAccount(account) : undefined
  return tokens === undefined || tokens.isFrozen || tokens.mint !== mint ? 0n : tokens.amount
}

/** A currency of the token program. */
type Mint = Readonly<{
  decimals: number
  supply: bigint
  /** May freeze accounts of the currency; undefined: nobody. */
  freezeAuthority: Pubkey | undefined
}>

/** A mint, or why its currency is not supported, in words for a user. */
export type MintAnswer =
  | Readonly<{ kind: 'mint'; mint: Mint }>
  | Readonly<{ kind: 'refused'; reason: string }>

/** @param account undefined if it does not exist. @source spl-token-interface: Mint */
export function decodeMint(account: AccountData | undefined): MintAnswer {
  if (account === undefined) return refused('There is no account at this address')
  const { owner, data } = account
  // Its extensions change amounts, call programs, or let others take the tokens.
  if (owner === programIds.token2022)
    return refused('Currencies of the Token-2022 program are not supported')
  const mint =
    owner === programIds.token && data.length === accountSizes.mint
      ? readLayout(data, readMint)
      : undefined
  return mint === undefined
    ? refused('This account is not a currency of the token program')
    : { kind: 'mint', mint }
}

function readMint(reader: ByteReader): Mint | undefined {
  readOptional(reader)
  const supply = reader.u64()
  const decimals = reader.u8()
  const isInitialized = reader.u8() === 1
  const freezeAuthority = readOptional(reader)
  return isInitialized ? { decimals, supply, freezeAuthority } : undefined
}

const refused = (reason: string): MintAnswer => ({ kind: 'refused', reason })

/** An account after four bytes that say whether there is one. */
function readOptional(reader: ByteReader): Pubkey | undefined {
  const isThere = reader.u32() === 1
  const pubkey = reader.pubkey()
  return isThere ? pubkey : undefined
}
