import { z } from 'zod'
import { token2022Program } from '#src/devnet/svm/node/addresses.ts'
import type { Account, GetAccount } from '#src/devnet/svm/node/runtime.ts'
import {
  parseMint,
  parseTokenAccount,
  type TokenAccount,
  tokenAmount,
} from '#src/devnet/svm/node/tokens.ts'
import { toBase58, toBase64, whole } from './params.ts'
import { RpcError } from './rpcError.ts'

/** How an account's data is printed. Without an encoding it is a base58 text, as it was in the first versions. */
export const dataOptions = {
  encoding: z.enum(['base58', 'base64', 'jsonParsed']).nullish(),
  dataSlice: z.strictObject({ offset: whole, length: whole }).nullish(),
}

export type DataOptions = Readonly<{
  encoding?: z.output<typeof dataOptions.encoding>
  dataSlice?: z.output<typeof dataOptions.dataSlice>
}>

/** Base58 takes time quadratic in the length. */
const maxBase58Bytes = 128

/** Every account of the chain is exempt from rent. */
const rentExempt = 18_446_744_073_709_551_615n

export const accountJson = (
  account: Account | undefined,
  format: DataOptions | null | undefined,
  get: GetAccount,
) =>
  account === undefined
    ? null
    : {
        lamports: account.lamports,
        owner: account.owner,
        data: dataJson(account, format, get),
        executable: account.isExecutable,
        rentEpoch: rentExempt,
        space: account.data.length,
      }

function dataJson(
  account: Account,
  format: DataOptions | null | undefined,
  get: GetAccount,
): unknown {
  const encoding = format?.encoding
  if (encoding === 'jsonParsed') {
    const parsed = parsedJson(account, get)
    if (parsed !== undefined) return parsed
  }
  const slice = format?.dataSlice
  const data = slice
    ? account.data.subarray(slice.offset, slice.offset + slice.length)
    : account.data
  if (encoding === 'base64' || encoding === 'jsonParsed') return [toBase64(data), 'base64']
  if (data.length > maxBase58Bytes)
    throw new RpcError(
      -32_600,
      'Encoded binary (base 58) data should be less than 128 bytes, please use Base64 encoding.',
    )
  return encoding === 'base58' ? [toBase58(data), 'base58'] : toBase58(data)
}

/** Of token accounts and mints. Undefined for others, which are printed in base64. */
function parsedJson(account: Account, get: GetAccount): unknown {
  const program = account.owner === token2022Program ? 'spl-token-2022' : 'spl-token'
  const space = account.data.length
  const held = parseTokenAccount(account)
  if (held !== undefined) {
    const decimals = parseMint(get(held.mint))?.decimals
    if (decimals === undefined) return undefined
    return { program, parsed: { type: 'account', info: tokenJson(held, decimals) }, space }
  }
  const mint = parseMint(account)
  if (mint === undefined) return undefined
  const info = {
    decimals: mint.decimals,
    freezeAuthority: mint.freezeAuthority ?? null,
    isInitialized: true,
    mintAuthority: mint.mintAuthority ?? null,
    supply: `${mint.supply}`,
  }
  return { program, parsed: { type: 'mint', info }, space }
}

const tokenJson = (held: TokenAccount, decimals: number) => ({
  mint: held.mint,
  owner: held.owner,
  tokenAmount: tokenAmount(held.amount, decimals),
  ...(held.delegate !== undefined && {
    delegate: held.delegate,
    delegatedAmount: tokenAmount(held.delegatedAmount, decimals),
  }),
  state: held.isFrozen ? 'frozen' : 'initialized',
  isNative: held.rentExemptReserve !== undefined,
  ...(held.rentExemptReserve !== undefined && {
    rentExemptReserve: tokenAmount(held.rentExemptReserve, decimals),
  }),
  ...(held.closeAuthority !== undefined && { closeAuthority: held.closeAuthority }),
})
