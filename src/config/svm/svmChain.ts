import { z } from 'zod'
import { limitsOf, rpcEndpoints, urlsOf } from '#src/config/endpoints.ts'
import { address, chainId, dollars } from '#src/config/values.ts'
import { toUsd } from '#src/core/units/usd.ts'
import { blockhash, pubkey } from './svmValues.ts'

const httpUrl = z.url({ protocol: /^https?$/ })

/** A feed on an EVM chain that prices a currency of this one. */
const priceFeed = z.strictObject({
  /** A mint, or the native currency. */
  currency: pubkey,
  /** The EVM chain of the feed: a chain of the configuration. */
  chainId,
  aggregator: address,
  /** Maximum age of a usable answer. */
  maxAgeSeconds: z
    .int()
    .positive()
    .max(7 * 86_400)
    .default(3600),
  /** The decimals that the feed must have. Compared at the start. Absent: any number is accepted. */
  decimals: z.int().min(0).max(36).optional(),
  /** Required start of the feed's description, such as "SOL / USD". Absent: the feed must be in US dollars. */
  description: z.string().min(1).max(64).optional(),
})

const svmChainSchema = z.strictObject({
  vmType: z.literal('svm'),
  /** The chain whose published facts fill in the fields that the configuration leaves out. */
  preset: z.enum(['solana']).optional(),
  id: chainId,
  /** Name of the chain in orders. */
  name: z
    .string()
    .regex(/^[a-z0-9-]{1,32}$/, 'must be 1 to 32 lower-case letters, digits and hyphens'),
  displayName: z.string().min(1).max(64),
  /** The hash of the first block. An endpoint of another cluster is not used. */
  genesisHash: blockhash,
  /** In order of preference: the next endpoint takes over if one fails or is busy. */
  rpcUrls: rpcEndpoints,
  /** Endpoints that signed transactions are sent to, in order of preference. Absent: `rpcUrls`. */
  sendUrls: rpcEndpoints.optional(),
  /** Endpoints published to clients. `rpcUrls` is never published. */
  publicRpcUrl: httpUrl.optional(),
  publicWsUrl: z.url({ protocol: /^wss?$/ }).optional(),
  explorerUrl: httpUrl.optional(),
  iconUrl: z.url().optional(),
  /** Refuses new orders on this chain. The chain is still followed. */
  disabled: z.boolean().default(false),
  nativeCurrency: z.strictObject({
    symbol: z.string().min(1).max(32),
    name: z.string().min(1).max(64),
    decimals: z.int().min(0).max(36).default(9),
    logoURI: z.string().max(512).optional(),
  }),
  /** Our program, as `npm run deploy` prints it. Without it the chain has prices but no quotes. */
  program: pubkey.optional(),
  /** Mean seconds between slots. */
  blockSeconds: z.number().positive().max(600).default(0.4),
  /** Deposits above this value are filled only if `agreeingEndpoints` endpoints have them. */
  agreeAboveUsd: dollars.default(toUsd(1_000_000_000n)),
  /** With fewer `rpcUrls`, all of them must have such a deposit. */
  agreeingEndpoints: z.int().min(1).max(10).default(2),
  /** Prices are refused once the newest block is older than this. */
  maxMarketAgeSeconds: z.number().positive().max(86_400).default(30),
  /** Seconds by which the chain's block times run ahead of the time of day. Negative if they run behind. */
  clockSkewSeconds: z.number().min(-3600).max(3600).default(0),
  priceFeeds: z.array(priceFeed).default([]),
})

export const svmChain = svmChainSchema.transform((given) => ({
  ...given,
  rpcUrls: urlsOf(given.rpcUrls),
  sendUrls: given.sendUrls && urlsOf(given.sendUrls),
  rpcLimits: limitsOf([...given.rpcUrls, ...(given.sendUrls ?? [])]),
}))

export type SvmChainConfig = z.output<typeof svmChain>

/** The solver's accounts on Solana chains. */
export const svmSolver = z.strictObject({
  /** Pays fills and fees. Settlements are paid to it. */
  address: pubkey,
  /** Signs payouts of the program. Defaults to `address`. */
  allocator: pubkey.optional(),
})

const isSvm = (chain: unknown): boolean =>
  (chain as Readonly<{ vmType?: unknown }> | null)?.vmType === 'svm'

type Path = readonly PropertyKey[]

/**
 * Moves the Solana chains of a configuration from `chains` to `svmChains`. Any other input is returned as it is.
 * @returns also the path in the input of a path in the result, for error messages
 */
export function splitChains(
  input: unknown,
): Readonly<{ input: unknown; pathOf: (path: Path) => Path }> {
  const given = (input ?? {}) as Readonly<Record<string, unknown>>
  const { chains } = given
  if (!(Array.isArray(chains) && chains.some(isSvm))) return { input, pathOf: (path) => path }
  const places = { svmChains: [] as number[], chains: [] as number[] }
  for (const [at, chain] of chains.entries()) places[isSvm(chain) ? 'svmChains' : 'chains'].push(at)
  const picked = (ats: readonly number[]) => ats.map((at) => chains[at])
  return {
    input: { ...given, chains: picked(places.chains), svmChains: picked(places.svmChains) },
    pathOf: ([list, at, ...rest]) =>
      (list === 'chains' || list === 'svmChains') && typeof at === 'number'
        ? ['chains', places[list][at] ?? at, ...rest]
        : [list, at, ...rest].filter((part) => part !== undefined),
  }
}
