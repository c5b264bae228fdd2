import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { Log } from '#src/config/log.ts'
import { toAccount } from '#src/core/units/account.ts'
import { type ChainId, toChainId } from '#src/core/units/chainId.ts'
import { type Currency, currencyKey } from '#src/core/units/currency.ts'
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
        address: toAccount(listed.address),
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
const tokenListSchema = z.object({ name: z.string(), tokens: z.array(z.unknown()).max(100_000) })
const entrySchema = z.looseObject({ chainId: z.int().positive() })

class TokenListError extends Error {
  constructor(source: string, error: z.ZodError) {
    super([`${source} is not a token list:`, ...linesOf(error, [])].join('\n  '))
    this.name = 'TokenListError'
  }
}

const linesOf = (error: z.ZodError, path: readonly PropertyKey[]): readonly string[] =>
  error.issues.map((issue) => `${[...path, ...issue.path].map(String).join('.')}: ${issue.message}`)

export type TokenList = Readonly<{
  currencies: readonly Currency[]
  /** The errors of the entries that were left out, one line for each invalid key. */
  problems: readonly string[]
}>

/**
 * The currencies on `chainIds` in a list of the Uniswap token-list format. Ignores entries of other chains without
 * validation, because lists contain chains of all kinds. Leaves out invalid entries.
 * @param source name of the input in error messages.
 * @throws TokenListError if the input is not a token list.
 */
export function parseTokenList(
  input: unknown,
  source: string,
  chainIds: ReadonlySet<ChainId>,
): TokenList {
  const parsed = tokenListSchema.safeParse(input)
  if (!parsed.success) throw new TokenListError(source, parsed.error)
  const currencies: Currency[] = []
  const problems: string[] = []
  parsed.data.tokens.forEach((entry, at) => {
    const ofChain = entrySchema.safeParse(entry)
    if (ofChain.success && !chainIds.has(ofChain.data.chainId as ChainId)) return
    const read = token.safeParse(entry)
    if (read.success) currencies.push(read.data)
    else problems.push(...linesOf(read.error, ['tokens', at]))
  })
  return { currencies, problems }
}

/**
 * The currencies of the lists in several files, as `mergeTokenLists` merges them.
 * @throws TokenListError, or Error with the path if a file cannot be read or is not JSON.
 */
export const readTokenLists = (
  log: Log,
  paths: readonly string[],
  chainIds: ReadonlySet<ChainId>,
): readonly Currency[] =>
  mergeTokenLists(
    log,
    paths.map((source) => ({ source, value: readTokenListFile(source) })),
    chainIds,
  )

/**
 * The currencies of several lists. If lists differ about a currency, the first list counts. Logs the invalid entries.
 * @throws TokenListError
 */
export function mergeTokenLists(
  log: Log,
  lists: readonly Readonly<{ source: string; value: unknown }>[],
  chainIds: ReadonlySet<ChainId>,
): readonly Currency[] {
  const currencies = new Map<string, Currency>()
  for (const { source, value } of lists) {
    const list = parseTokenList(value, source, chainIds)
    if (list.problems.length > 0)
      log.warn(
        {
          tokenList: source,
          count: list.problems.length,
          problems: list.problems.slice(0, maxShown),
        },
        'Skipping invalid entries of a token list',
      )
    for (const currency of list.currencies) {
      const key = currencyKey(currency)
      if (!currencies.has(key)) currencies.set(key, currency)
    }
  }
  return [...currencies.values()]
}

const maxShown = 10

/** @throws Error with the path if the file cannot be read or is not JSON. */
export function readTokenListFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new Error(`tokenList: cannot read ${path}: ${(error as Error).message}`)
  }
}
