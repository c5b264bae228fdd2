import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { toAddress } from '#src/units/address.ts'
import { type ChainId, toChainId } from '#src/units/chainId.ts'
import type { Currency } from '#src/units/currency.ts'
import { mostDecimals } from './readCurrencies.ts'

const token = z
  .object({
    chainId: z.int().positive(),
    address: z.string(),
    symbol: z.string().min(1).max(32),
    name: z.string().min(1).max(64),
    decimals: z.int().min(0).max(mostDecimals),
    logoURI: z.string().max(2048).optional(),
  })
  .transform((listed, context): Currency => {
    try {
      return {
        chainId: toChainId(listed.chainId),
        address: toAddress(listed.address),
        symbol: listed.symbol,
        name: listed.name,
        decimals: listed.decimals,
        metadata: {
          ...(listed.logoURI === undefined ? {} : { logoURI: listed.logoURI }),
          verified: true,
          isNative: false,
        },
      }
    } catch (error) {
      context.addIssue({ code: 'custom', path: ['address'], message: (error as Error).message })
      return z.NEVER
    }
  })

/** https://uniswap.org/tokenlist.schema.json, as far as this gateway reads it; lists may say more. */
const tokenListSchema = z.object({ name: z.string(), tokens: z.array(token).max(100_000) })

/** Names every problem of a token list at once. */
class TokenListError extends Error {
  constructor(source: string, error: z.ZodError) {
    const lines = error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`)
    super(`${source} is not a valid token list:\n${lines.join('\n')}`)
    this.name = 'TokenListError'
  }
}

/**
 * The currencies of `chainIds` that a list in the Uniswap token-list format vouches for.
 * @throws TokenListError that lists every wrong key; `source` names the input in its message.
 */
export function parseTokenList(
  input: unknown,
  source: string,
  chainIds: ReadonlySet<ChainId>,
): readonly Currency[] {
  const parsed = tokenListSchema.safeParse(input)
  if (!parsed.success) throw new TokenListError(source, parsed.error)
  return parsed.data.tokens.filter((currency) => chainIds.has(currency.chainId))
}

/** @throws TokenListError, or Error that names the file where it cannot be read or is no JSON. */
export function readTokenList(path: string, chainIds: ReadonlySet<ChainId>): readonly Currency[] {
  let list: unknown
  try {
    list = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new Error(`tokenList: ${path} cannot be read: ${(error as Error).message}`)
  }
  return parseTokenList(list, path, chainIds)
}
