import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { toAddress } from '#src/units/address.ts'
import { type ChainId, toChainId } from '#src/units/chainId.ts'
import type { Currency } from '#src/units/currency.ts'
import { maxDecimals } from './readCurrencies.ts'

const token = z
  .object({
    chainId: z.int().positive(),
    address: z.string(),
    symbol: z.string().min(1).max(32),
    name: z.string().min(1).max(64),
    decimals: z.int().min(0).max(maxDecimals),
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

/** The fields of https://uniswap.org/tokenlist.schema.json that this gateway reads. Other fields are ignored. */
const tokenListSchema = z.object({ name: z.string(), tokens: z.array(token).max(100_000) })

/** Lists all problems of a token list. */
class TokenListError extends Error {
  constructor(source: string, error: z.ZodError) {
    const lines = error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`)
    super(`${source} is not a valid token list:\n${lines.join('\n')}`)
    this.name = 'TokenListError'
  }
}

/**
 * The currencies on `chainIds` in a list of the Uniswap token-list format.
 * @param source name of the input in error messages.
 * @throws TokenListError that lists every wrong key.
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

/** @throws TokenListError, or Error with the path if the file cannot be read or is not JSON. */
export function readTokenList(path: string, chainIds: ReadonlySet<ChainId>): readonly Currency[] {
  let list: unknown
  try {
    list = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new Error(`tokenList: cannot read ${path}: ${(error as Error).message}`)
  }
  return parseTokenList(list, path, chainIds)
}
