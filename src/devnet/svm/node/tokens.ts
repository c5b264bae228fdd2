import { type Address, getAddressDecoder } from '@solana/kit'
import { token2022Program, tokenProgram } from './addresses.ts'
import type { Account, GetAccount } from './runtime.ts'

export type TokenAccount = Readonly<{
  mint: Address
  owner: Address
  amount: bigint
  delegate: Address | undefined
  delegatedAmount: bigint
  isFrozen: boolean
  /** Lamports that are not part of the balance. Undefined unless it holds wrapped SOL. */
  rentExemptReserve: bigint | undefined
  closeAuthority: Address | undefined
}>

export type Mint = Readonly<{
  mintAuthority: Address | undefined
  supply: bigint
  decimals: number
  freezeAuthority: Address | undefined
}>

/** An amount as JSON-RPC prints it: raw units, and a decimal text without trailing zeros. */
export type TokenAmount = Readonly<{
  amount: string
  decimals: number
  uiAmount: number | null
  uiAmountString: string
}>

const tokenAccountBytes = 165
const mintBytes = 82

/** Token-2022 writes the kind of an account with extensions after the length of a token account. */
const kinds = { mint: 1, account: 2 } as const

export const isTokenProgram = (program: Address): boolean =>
  program === tokenProgram || program === token2022Program

/** The token account. Undefined if the account is another one, or not initialized. */
export function parseTokenAccount(account: Account | undefined): TokenAccount | undefined {
  const view = tokenData(account, tokenAccountBytes, kinds.account)
  if (view === undefined || view.readUInt8(108) === 0) return undefined
  return {
    mint: addressAt(view, 0),
    owner: addressAt(view, 32),
    amount: view.readBigUInt64LE(64),
    delegate: optionalAddress(view, 72),
    isFrozen: view.readUInt8(108) === 2,
    rentExemptReserve: view.readUInt32LE(109) === 1 ? view.readBigUInt64LE(113) : undefined,
    delegatedAmount: view.readBigUInt64LE(121),
    closeAuthority: optionalAddress(view, 129),
  }
}

/** The mint. Undefined if the account is another one, or not initialized. */
export function parseMint(account: Account | undefined): Mint | undefined {
  const view = tokenData(account, mintBytes, kinds.mint)
  if (view === undefined || view.readUInt8(45) === 0) return undefined
  return {
    mintAuthority: optionalAddress(view, 0),
    supply: view.readBigUInt64LE(36),
    decimals: view.readUInt8(44),
    freezeAuthority: optionalAddress(view, 46),
  }
}

export function tokenAmount(amount: bigint, decimals: number): TokenAmount {
  const digits = `${amount}`.padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  const uiAmountString = fraction === '' ? whole : `${whole}.${fraction}`
  return { amount: `${amount}`, decimals, uiAmount: Number(uiAmountString), uiAmountString }
}

/** The token balance of an account of a transaction. */
export type TokenBalance = Readonly<{
  accountIndex: number
  mint: Address
  owner: Address
  programId: Address
  uiTokenAmount: TokenAmount
}>

/** The balances of the token accounts among `accounts`. `get` reads their mints. */
export const tokenBalances = (
  accounts: readonly (Account | undefined)[],
  get: GetAccount,
): readonly TokenBalance[] =>
  accounts.flatMap((account, accountIndex) => {
    const held = parseTokenAccount(account)
    if (held === undefined || account === undefined) return []
    const { mint, owner, amount } = held
    const decimals = parseMint(get(mint))?.decimals
    if (decimals === undefined) return []
    const uiTokenAmount = tokenAmount(amount, decimals)
    return [{ accountIndex, mint, owner, programId: account.owner, uiTokenAmount }]
  })

function tokenData(account: Account | undefined, bytes: number, kind: number): Buffer | undefined {
  if (account === undefined || !isTokenProgram(account.owner)) return undefined
  const { length } = account.data
  const isExtended =
    account.owner === token2022Program &&
    length > tokenAccountBytes &&
    account.data[tokenAccountBytes] === kind
  return length === bytes || isExtended ? bufferOf(account) : undefined
}

const bufferOf = ({ data }: Account): Buffer =>
  Buffer.from(data.buffer, data.byteOffset, data.byteLength)

const addressAt = (view: Buffer, at: number): Address => getAddressDecoder().decode(view, at)

const optionalAddress = (view: Buffer, at: number): Address | undefined =>
  view.readUInt32LE(at) === 1 ? addressAt(view, at + 4) : undefined
