import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { type Address, toAddress } from '#src/units/address.ts'
import { type Bps, toBps } from '#src/units/bps.ts'
import { type ChainId, toChainId } from '#src/units/chainId.ts'
import { type Pips, toPips } from '#src/units/pips.ts'
import { toUsd, type Usd } from '#src/units/usd.ts'

/** An address in configuration or environment, with or without a checksum. */
export const address = z.string().transform((text, context): Address => {
  try {
    return toAddress(text)
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message })
    return z.NEVER
  }
})

const chainId = z
  .int()
  .positive()
  .transform((value): ChainId => toChainId(value))
const pips = z
  .int()
  .min(0)
  .max(999_999)
  .transform((value): Pips => toPips(value))
const bps = z
  .int()
  .min(0)
  .max(10_000)
  .transform((value): Bps => toBps(BigInt(value)))
const dollars = z
  .string()
  .regex(/^\d{1,12}(\.\d{1,6})?$/, 'must be US dollars with at most six decimals, such as "0.02"')
  .transform((text): Usd => {
    const [whole = '0', fraction = ''] = text.split('.')
    return toUsd(BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(6, '0')))
  })
const blockNumber = z.int().min(0).transform(BigInt)
const pairs = z.array(z.tuple([address, address])).default([])

const factories = z
  .array(
    z.discriminatedUnion('kind', [
      z.strictObject({
        kind: z.literal('constantProduct'),
        /** Name of these pools in quotes, such as "uniswap-v2". */
        source: z.string().min(1).max(64),
        factory: address,
        /** The fork's fee on the input. */
        fee: pips.default(toPips(3000)),
        /** Block from which the factory's logs are searched for pools: the block of its deployment. */
        fromBlock: blockNumber.default(0n),
        /** The pairs whose pools are tracked. If empty, all pools of the factory are. */
        pairs,
      }),
      z.strictObject({
        kind: z.literal('concentrated'),
        source: z.string().min(1).max(64),
        factory: address,
        /** Fee tiers to look up for each configured pair. */
        feeTiers: z.array(pips).default([toPips(100), toPips(500), toPips(3000), toPips(10_000)]),
        fromBlock: blockNumber.default(0n),
        pairs,
      }),
    ]),
  )
  .min(1)

const chain = z.strictObject({
  id: chainId,
  /** Name of the chain in orders, such as "ethereum". */
  name: z
    .string()
    .regex(/^[a-z0-9-]{1,32}$/, 'must be 1 to 32 lower-case letters, digits and hyphens'),
  displayName: z.string().min(1).max(64),
  /** In order of preference: the next endpoint takes over if one fails. */
  rpcUrls: z.array(z.url({ protocol: /^https?$/ })).min(1),
  wsUrl: z.url({ protocol: /^wss?$/ }).optional(),
  /** Endpoints published to clients. `rpcUrls` and `wsUrl` are never published. */
  publicRpcUrl: z.url({ protocol: /^https?$/ }).optional(),
  publicWsUrl: z.url({ protocol: /^wss?$/ }).optional(),
  explorerUrl: z.url({ protocol: /^https?$/ }).optional(),
  iconUrl: z.url().optional(),
  /** Refuses new orders on this chain. The chain is still followed. */
  disabled: z.boolean().default(false),
  nativeCurrency: z.strictObject({
    symbol: z.string().min(1).max(32),
    name: z.string().min(1).max(64),
    decimals: z.int().min(0).max(36).default(18),
    logoURI: z.string().max(512).optional(),
  }),
  wrappedNative: address,
  /** Our contracts, as `npm run deploy` prints them. Without them the chain has prices but no quotes. */
  contracts: z
    .strictObject({ depository: address, router: address, approvalProxy: address })
    .optional(),
  multicall3: address.default(toAddress('0xca11bde05977b3631167028862be2a173976ca11')),
  l1DataFee: z.enum(['none', 'opStack', 'arbitrum']).default('none'),
  blockSeconds: z.number().positive().max(600).default(12),
  /** Blocks after a deposit's block before the solver fills. */
  depositConfirmations: z.int().min(0).max(1000).default(1),
  /** Blocks after the block of a fill, refund or user-executed swap before its request ends. */
  fillConfirmations: z.int().min(0).max(1000).default(12),
  /** Depth at which a block counts as final if the chain's nodes do not support the `finalized` tag. */
  finalityDepth: z.int().min(1).max(10_000).default(64),
  factories,
  priceFeeds: z
    .array(
      z.strictObject({
        currency: address,
        aggregator: address,
        /** Maximum age of a usable answer. */
        maxAgeSeconds: z
          .int()
          .positive()
          .max(7 * 86_400)
          .default(3600),
      }),
    )
    .default([]),
  /** Minimum depth of a pool that prices a currency: how much of the priced currency it pays out before the price halves. */
  minPoolDepthUsd: dollars.default(toUsd(10_000_000_000n)),
  /** Number of blocks in which each pool state is compared with the chain once. */
  verifyEveryBlocks: z.int().positive().max(100_000).default(100),
})

const configSchema = z
  .strictObject({
    chains: z.array(chain).min(1),
    /** A file in the Uniswap token-list format, relative to the configuration. */
    tokenList: z.string().min(1).optional(),
    solver: z.strictObject({
      /** The solver's account. Its balances limit payouts on destination chains. It is the depositories' allocator. */
      address,
      /** Requests with a larger payout are refunded. Without it only the balance limits payouts. */
      mostPayoutUsd: dollars.optional(),
      /** Refunds requests with the referrer "debug-force-refund". For devnets. */
      forcesRefunds: z.boolean().default(false),
    }),
    /** Clients that identify themselves with an `x-api-key` header. */
    apiKeys: z
      .array(
        z.strictObject({
          /** The client's name in records. */
          name: z.string().min(1).max(64),
          key: z.string().min(16).max(256),
          /** Whether the client may pay the fees of its users. */
          sponsors: z.boolean().default(false),
          /** Receives every change of the requests that were quoted with the key, signed with the key. */
          webhookUrl: z.url({ protocol: /^https?$/ }).optional(),
        }),
      )
      .default([]),
    /** Quotes whose swaps lose a larger share of the input's value are refused, unless they override the limit. */
    maxSwapImpact: bps.default(toBps(1500n)),
    /** Seconds in which the deposits of a multi-input quote must arrive. */
    multiInputSeconds: z
      .int()
      .min(1)
      .max(7 * 86_400)
      .default(1800),
    /** Currencies that are the same asset on several chains. The solver bridges between them. */
    assets: z
      .array(
        z.strictObject({
          symbol: z.string().min(1).max(32),
          class: z.enum(['stable', 'major', 'other']),
          currencies: z.array(z.strictObject({ chainId, address })).min(1),
        }),
      )
      .default([]),
    feeSchedule: z
      .strictObject({
        flat: dollars.default(toUsd(20_000n)),
        sameAsset: bps.default(toBps(0n)),
        stable: bps.default(toBps(1n)),
        major: bps.default(toBps(6n)),
        other: bps.default(toBps(15n)),
      })
      .prefault({}),
  })
  .superRefine((config, context) => {
    const keys = config.apiKeys.map(({ key }) => key)
    keys.forEach((key, at) => {
      if (keys.indexOf(key) < at)
        context.addIssue({
          code: 'custom',
          path: ['apiKeys', at, 'key'],
          message: 'another client has the same key',
        })
    })
    const known = new Set<number>()
    config.chains.forEach((each, at) => {
      if (known.has(each.id))
        context.addIssue({
          code: 'custom',
          path: ['chains', at, 'id'],
          message: `chain ${each.id} is configured twice`,
        })
      known.add(each.id)
    })
    config.assets.forEach((asset, at) => {
      asset.currencies.forEach((currency, place) => {
        if (asset.currencies.findIndex((each) => each.chainId === currency.chainId) < place)
          context.addIssue({
            code: 'custom',
            path: ['assets', at, 'currencies', place, 'chainId'],
            message: `${asset.symbol} has two currencies on chain ${currency.chainId}; an asset has at most one per chain`,
          })
        if (!known.has(currency.chainId))
          context.addIssue({
            code: 'custom',
            path: ['assets', at, 'currencies', place, 'chainId'],
            message: `chain ${currency.chainId} is not configured`,
          })
      })
    })
  })

/** The parsed configuration. docs/configuration.md describes each key. */
export type Config = z.output<typeof configSchema>
/** A configuration before `parseConfig`, with optional keys left out. */
export type ConfigInput = z.input<typeof configSchema>
export type ChainConfig = Config['chains'][number]

/** Lists all problems of a configuration. */
class ConfigError extends Error {
  constructor(source: string, error: z.ZodError) {
    const lines = error.issues.map(
      (issue) => `  ${issue.path.join('.') || '(root)'}: ${issue.message}`,
    )
    super(`${source} is not a valid configuration:\n${lines.join('\n')}`)
    this.name = 'ConfigError'
  }
}

/**
 * @param source name of the input in error messages.
 * @throws ConfigError that lists every wrong key.
 */
export function parseConfig(input: unknown, source: string): Config {
  const parsed = configSchema.safeParse(input)
  if (!parsed.success) throw new ConfigError(source, parsed.error)
  return parsed.data
}

/** @throws ConfigError, or the error of reading the file or of parsing its JSON. */
export const readConfig = (path: string): Config =>
  parseConfig(JSON.parse(readFileSync(path, 'utf8')), path)
