import { z } from 'zod'
import { toAddress } from '#src/core/units/address.ts'
import { toUsd, type Usd } from '#src/core/units/usd.ts'
import { limitsOf, rpcEndpoints, urlsOf } from './endpoints.ts'
import { factories, factoryOn } from './factory.ts'
import { address, chainId, dollars } from './values.ts'

/** The values of `chains[].preset`: one for each chain in `src/config/presets`. */
export const presetNames = ['ethereum', 'base', 'arbitrum', 'optimism', 'polygon', 'bnb'] as const
export type PresetName = (typeof presetNames)[number]

/** Deposits worth up to `upToUsd` are filled once `blocks` blocks follow their block. */
type DepositTier = Readonly<{ upToUsd: Usd; blocks: number }>

/** By ascending value. Deposits above the last tier must be final. */
const depositTiers = z
  .array(z.strictObject({ upToUsd: dollars, blocks: z.int().min(0).max(1000) }))
  .max(20)
  .refine(
    (tiers) =>
      tiers.every(({ upToUsd }, at) => at === 0 || upToUsd > (tiers[at - 1]?.upToUsd ?? 0n)),
    'must be ordered by upToUsd, each value once',
  )

const dollarsOf = (whole: bigint): Usd => toUsd(whole * 1_000_000n)

/**
 * The tiers of a chain that configures none. On Ethereum-like chains a deep reorg is rarer than a shallow one. A rollup
 * reorgs only if its sequencer replaces blocks that it has published, or if Ethereum reorgs.
 */
const defaultDepositTiers = (isRollup: boolean): readonly DepositTier[] =>
  isRollup
    ? [{ upToUsd: dollarsOf(1_000n), blocks: 1 }]
    : [
        { upToUsd: dollarsOf(100n), blocks: 16 },
        { upToUsd: dollarsOf(1_000n), blocks: 32 },
        { upToUsd: dollarsOf(10_000n), blocks: 64 },
      ]

/** One text, or several of which one must match. */
const texts = z
  .union([z.string().min(1).max(64), z.array(z.string().min(1).max(64)).min(1)])
  .transform((given): readonly string[] => [given].flat())

const chainSchema = z.strictObject({
  /** The chain whose published facts fill in the fields that the configuration leaves out. */
  preset: z.enum(presetNames).optional(),
  id: chainId,
  /** Name of the chain in orders, such as "ethereum". */
  name: z
    .string()
    .regex(/^[a-z0-9-]{1,32}$/, 'must be 1 to 32 lower-case letters, digits and hyphens'),
  displayName: z.string().min(1).max(64),
  /**
   * In order of preference: the next endpoint takes over if one fails or is busy. Only a gateway that reads its market
   * from a feed works without them: see `endpointIssues`.
   */
  rpcUrls: rpcEndpoints.optional(),
  /** Endpoints that signed transactions are sent to, in order of preference. Absent: `rpcUrls`. */
  sendUrls: rpcEndpoints.optional(),
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
  /** The symbol that the wrapped native currency must have. Compared at the start. Absent: any symbol is accepted. */
  wrappedSymbol: texts.optional(),
  /** Our contracts, as `npm run deploy` prints them. Without them the chain has prices but no quotes. */
  contracts: z
    .strictObject({
      depository: address,
      router: address,
      approvalProxy: address,
      /** Without it, the chain offers no deposit addresses. */
      depositAddressFactory: address.exactOptional(),
    })
    .optional(),
  multicall3: address.default(toAddress('0xca11bde05977b3631167028862be2a173976ca11')),
  l1DataFee: z.enum(['none', 'opStack', 'arbitrum']).default('none'),
  blockSeconds: z.number().positive().max(600).default(12),
  /** Blocks on top of a deposit's block before the deposit funds its request. */
  depositConfirmations: z.int().min(0).max(1000).default(1),
  /** Blocks on top of a deposit's block before the solver fills, by value. Absent: `defaultDepositTiers`. */
  depositTiers: depositTiers.optional(),
  /** Deposits above this value are filled only if `agreeingEndpoints` endpoints have them. */
  agreeAboveUsd: dollars.default(toUsd(1_000_000_000n)),
  /** With fewer `rpcUrls`, deposits above `agreeAboveUsd` must be final, and all endpoints must have them. */
  agreeingEndpoints: z.int().min(1).max(10).default(2),
  /** Maximum value of deposits that are filled and not final yet. Further deposits wait until they are final. */
  maxUnfinalizedUsd: dollars.default(toUsd(25_000_000_000n)),
  /** Blocks on top of the block of a fill, refund or user-executed swap before its request ends. */
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
        /** The decimals that the feed must have. Compared at the start. Absent: any number is accepted. */
        decimals: z.int().min(0).max(36).optional(),
        /** Required start of the feed's description, such as "ETH / USD". Absent: the feed must be in US dollars. */
        description: texts.optional(),
      }),
    )
    .default([]),
  /**
   * Chainlink's sequencer uptime feed of a rollup. The chain has no prices while the sequencer is down, and for
   * `graceSeconds` after its return.
   */
  sequencerFeed: z
    .strictObject({
      address,
      /** Seconds after the sequencer's return during which feeds may still have old prices. */
      graceSeconds: z.int().min(0).max(86_400).default(3600),
    })
    .nullable()
    .optional(),
  /**
   * Lets pools price the native currency and the currencies that the solver bridges while they have no current feed.
   */
  allowPoolPrices: z.boolean().default(false),
  /**
   * Minimum depth of a pool that prices a currency without a feed. The depth is the value of the already priced
   * currency that the pool pays out before the price of that currency in the pool doubles.
   */
  minPoolDepthUsd: dollars.default(toUsd(10_000_000_000n)),
  /** Minimum depth of a followed pool, for factories without `pairs`. 0: every pool is followed. */
  minPoolUsd: dollars.default(toUsd(0n)),
  /** Maximum number of followed pools of factories without `pairs`: the deepest ones. Absent: no limit. */
  maxPools: z.int().min(1).max(1_000_000).optional(),
  /** Prices are refused once the newest block is older than this. Absent: see `defaultMarketAge`. */
  maxMarketAgeSeconds: z.number().positive().max(86_400).optional(),
  /** Seconds by which the chain's block timestamps run ahead of the time of day. Negative if they run behind. */
  clockSkewSeconds: z.number().min(-3600).max(3600).default(0),
  /** Seconds within which each pool state is compared with the chain once, if `verifyCallsPerSecond` allows it. */
  verifyEverySeconds: z.number().positive().max(86_400).default(600),
  /** Upper bound on the mean rate of the RPC calls that compare pool states and currencies with the chain. */
  verifyCallsPerSecond: z.number().positive().max(1000).default(2),
})

/** Seconds: five blocks, and at least 15 s, because fast chains pause now and then. */
const defaultMarketAge = (blockSeconds: number): number => Math.max(5 * blockSeconds, 15)

export const chain = chainSchema.transform((given) => ({
  ...given,
  factories: given.factories.map((each) => factoryOn(each, given.wrappedNative)),
  rpcUrls: urlsOf(given.rpcUrls ?? []),
  sendUrls: given.sendUrls && urlsOf(given.sendUrls),
  rpcLimits: limitsOf([...(given.rpcUrls ?? []), ...(given.sendUrls ?? [])]),
  depositTiers: given.depositTiers ?? defaultDepositTiers(given.l1DataFee !== 'none'),
  maxMarketAgeSeconds: given.maxMarketAgeSeconds ?? defaultMarketAge(given.blockSeconds),
  // Null removes the feed of the preset.
  sequencerFeed: given.sequencerFeed ?? undefined,
}))

/** A chain of the configuration before it is parsed. */
export type ChainInput = z.input<typeof chainSchema>
