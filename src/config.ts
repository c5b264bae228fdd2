import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { type Address, toAddress } from '#src/units/address.ts'
import { type Bps, toBps } from '#src/units/bps.ts'
import { type ChainId, toChainId } from '#src/units/chainId.ts'
import { type Pips, toPips } from '#src/units/pips.ts'
import { toUsd, type Usd } from '#src/units/usd.ts'

/** An address as operators write it. */
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
  .regex(/^\d{1,12}(\.\d{1,6})?$/, 'US dollars with at most six decimals, such as "0.02"')
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
        /** The name that quotes give these pools, such as "uniswap-v2". */
        source: z.string().min(1).max(64),
        factory: address,
        /** The fork's fee on what is paid in. */
        fee: pips.default(toPips(3000)),
        /** The factory's first block: its pools are found from here on. */
        fromBlock: blockNumber.default(0n),
        /** When given, only the pools of these pairs are followed; else all that the factory made. */
        pairs,
      }),
      z.strictObject({
        kind: z.literal('concentrated'),
        source: z.string().min(1).max(64),
        factory: address,
        /** Tried for each configured pair. */
        feeTiers: z.array(pips).default([toPips(100), toPips(500), toPips(3000), toPips(10_000)]),
        fromBlock: blockNumber.default(0n),
        pairs,
      }),
    ]),
  )
  .min(1)

const chain = z.strictObject({
  id: chainId,
  /** Lower case, such as "ethereum": what orders call the chain. */
  name: z.string().regex(/^[a-z0-9-]{1,32}$/),
  displayName: z.string().min(1).max(64),
  /** The first that answers serves; the next ones take over when it fails. */
  rpcUrls: z.array(z.url({ protocol: /^https?$/ })).min(1),
  wsUrl: z.url({ protocol: /^wss?$/ }).optional(),
  /** What clients are told to use; the operator's own endpoints are nobody's business. */
  publicRpcUrl: z.url({ protocol: /^https?$/ }).optional(),
  publicWsUrl: z.url({ protocol: /^wss?$/ }).optional(),
  explorerUrl: z.url({ protocol: /^https?$/ }).optional(),
  iconUrl: z.url().optional(),
  /** Refuses orders on this chain while it is followed as ever. */
  disabled: z.boolean().default(false),
  nativeCurrency: z.strictObject({
    symbol: z.string().min(1).max(32),
    name: z.string().min(1).max(64),
    decimals: z.int().min(0).max(36).default(18),
    logoURI: z.string().max(512).optional(),
  }),
  wrappedNative: address,
  /** Ours, as `npm run deploy` prints them: without them the chain is priced, but not quoted. */
  contracts: z
    .strictObject({ depository: address, router: address, approvalProxy: address })
    .optional(),
  multicall3: address.default(toAddress('0xca11bde05977b3631167028862be2a173976ca11')),
  l1DataFee: z.enum(['none', 'opStack', 'arbitrum']).default('none'),
  blockSeconds: z.number().positive().max(600).default(12),
  /** Blocks on top of a deposit before the solver fills. */
  depositConfirmations: z.int().min(0).max(1000).default(1),
  /** Blocks on top of a fill, a refund or a user's own swap before its request counts as done, for good. */
  fillConfirmations: z.int().min(0).max(1000).default(12),
  /** Blocks after which a block counts as final where the chain knows no `finalized` tag. */
  finalityDepth: z.int().min(1).max(10_000).default(64),
  factories,
  priceFeeds: z
    .array(
      z.strictObject({
        currency: address,
        aggregator: address,
        /** An answer older than this is not used. */
        maxAgeSeconds: z
          .int()
          .positive()
          .max(7 * 86_400)
          .default(3600),
      }),
    )
    .default([]),
  /** A pool prices a currency only if it pays out so much of a priced one until its price halves. */
  minPoolDepthUsd: dollars.default(toUsd(10_000_000_000n)),
  /** Pool states are compared with the chain's own every so many blocks. */
  verifyEveryBlocks: z.int().positive().max(100_000).default(100),
})

const configSchema = z
  .strictObject({
    chains: z.array(chain).min(1),
    /** A file in the Uniswap token-list format, relative to the configuration. */
    tokenList: z.string().min(1).optional(),
    solver: z.strictObject({
      /** Whose balances bound what is paid out on a destination chain; allocator of the depositories. */
      address,
      /** Requests that pay out more are refunded; absent: the balance alone bounds them. */
      mostPayoutUsd: dollars.optional(),
      /** Refunds what comes with the referrer "debug-force-refund": for devnets. */
      forcesRefunds: z.boolean().default(false),
    }),
    /** Clients that are known by what they send as `x-api-key`. */
    apiKeys: z
      .array(
        z.strictObject({
          /** What records call the client. */
          name: z.string().min(1).max(64),
          key: z.string().min(16).max(256),
          /** Whether it may ask for its users' fees to be put on its account. */
          sponsors: z.boolean().default(false),
          /** Is told, signed with the key, of every change of the requests that were quoted with it. */
          webhookUrl: z.url({ protocol: /^https?$/ }).optional(),
        }),
      )
      .default([]),
    /** A quote whose swaps lose more of the input's worth than this is refused, unless it overrides that. */
    maxSwapImpact: bps.default(toBps(1500n)),
    /** How long the deposits of a multi-input quote are gathered. */
    multiInputSeconds: z
      .int()
      .min(1)
      .max(7 * 86_400)
      .default(1800),
    /** Currencies that are worth the same on every chain: the bridges between them. */
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
          message: 'Another client has the same key',
        })
    })
    const known = new Set<number>()
    config.chains.forEach((each, at) => {
      if (known.has(each.id))
        context.addIssue({
          code: 'custom',
          path: ['chains', at, 'id'],
          message: `Chain ${each.id} stands here twice`,
        })
      known.add(each.id)
    })
    config.assets.forEach((asset, at) => {
      asset.currencies.forEach((currency, place) => {
        if (asset.currencies.findIndex((each) => each.chainId === currency.chainId) < place)
          context.addIssue({
            code: 'custom',
            path: ['assets', at, 'currencies', place, 'chainId'],
            message: `${asset.symbol} has another currency on chain ${currency.chainId}: an asset has one a chain`,
          })
        if (!known.has(currency.chainId))
          context.addIssue({
            code: 'custom',
            path: ['assets', at, 'currencies', place, 'chainId'],
            message: `No chain ${currency.chainId} is configured`,
          })
      })
    })
  })

/** The whole configuration, parsed: see the README's table for each key. */
export type Config = z.output<typeof configSchema>
/** A configuration as it is written, before `parseConfig`. */
export type ConfigInput = z.input<typeof configSchema>
export type ChainConfig = Config['chains'][number]

/** Names every problem of a configuration at once. */
class ConfigError extends Error {
  constructor(source: string, error: z.ZodError) {
    const lines = error.issues.map(
      (issue) => `  ${issue.path.join('.') || '(root)'}: ${issue.message}`,
    )
    super(`${source} is not a valid configuration:\n${lines.join('\n')}`)
    this.name = 'ConfigError'
  }
}

/** @throws ConfigError that lists every wrong key; `source` names the input in its message. */
export function parseConfig(input: unknown, source: string): Config {
  const parsed = configSchema.safeParse(input)
  if (!parsed.success) throw new ConfigError(source, parsed.error)
  return parsed.data
}

/** @throws ConfigError, or what reading or JSON parsing throws. */
export const readConfig = (path: string): Config =>
  parseConfig(JSON.parse(readFileSync(path, 'utf8')), path)
