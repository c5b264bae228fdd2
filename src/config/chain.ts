import { z } from 'zod'
import { toAddress } from '#src/units/address.ts'
import { toUsd } from '#src/units/usd.ts'
import { defaultDepositTiers, depositTiers } from './depositTiers.ts'
import { factories, factoryOn } from './factories/factory.ts'
import { presetNames } from './presets/presetNames.ts'
import { limitsOf, rpcEndpoints, urlsOf } from './rpcEndpoint.ts'
import { address, chainId, dollars } from './values.ts'

/** One text, or several of which one holds. */
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
   * In order of preference: the next endpoint takes over if one fails or is busy. Only a gateway whose market comes from a
   * feed can do without any: see `endpointIssues`.
   */
  rpcUrls: rpcEndpoints.optional(),
  /** Endpoints that signed transactions are sent to, in order of preference. Without them those of `rpcUrls`. */
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
  /** The symbol that the wrapped native currency must have. Compared at the start; without it any will do. */
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
  /** Blocks after a deposit's block before the deposit funds its request. */
  depositConfirmations: z.int().min(0).max(1000).default(1),
  /** Blocks after a deposit's block before the solver fills, by the deposit's value. Absent: see `defaultDepositTiers`. */
  depositTiers: depositTiers.optional(),
  /** Deposits above this value are filled only if `agreeingEndpoints` endpoints have them. */
  agreeAboveUsd: dollars.default(toUsd(1_000_000_000n)),
  /** With fewer `rpcUrls`, deposits above `agreeAboveUsd` must be final, and all endpoints must have them. */
  agreeingEndpoints: z.int().min(1).max(10).default(2),
  /** Maximum value of the deposits that are filled and not final yet. Others wait until they are final. */
  maxUnfinalizedUsd: dollars.default(toUsd(25_000_000_000n)),
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
        /** The decimals that the feed must have. Compared at the start; without them any will do. */
        decimals: z.int().min(0).max(36).optional(),
        /** How the description of the feed must begin, such as "ETH / USD". Without it the feed must be one in US dollars. */
        description: texts.optional(),
      }),
    )
    .default([]),
  /** Chainlink's sequencer uptime feed of a rollup. While the sequencer is down, and for the grace time after, the chain has no prices. */
  sequencerFeed: z
    .strictObject({
      address,
      /** Seconds after the sequencer's return in which prices may still be old. */
      graceSeconds: z.int().min(0).max(86_400).default(3600),
    })
    .nullable()
    .optional(),
  /** Lets pools price the native currency and the currencies that the solver bridges while they have no current feed. */
  allowPoolPrices: z.boolean().default(false),
  /** Minimum depth of a pool that prices a currency: how much of the priced currency it pays out before the price halves. */
  minPoolDepthUsd: dollars.default(toUsd(10_000_000_000n)),
  /** Least depth of the pools of whole factories that are followed. Absent or 0: all of them are. */
  minPoolUsd: dollars.default(toUsd(0n)),
  /** Of these, how many are followed: the deepest ones. Absent: no bound. */
  maxPools: z.int().min(1).max(1_000_000).optional(),
  /** Prices are refused once the newest block is older than this. Absent: see `defaultMarketAge`. */
  maxMarketAgeSeconds: z.number().positive().max(86_400).optional(),
  /** How far the chain's block timestamps run ahead of the time of day; negative where they are behind it. */
  clockSkewSeconds: z.number().min(-3600).max(3600).default(0),
  /** Seconds in which each pool state is compared with the chain once, as far as `verifyCallsPerSecond` allows. */
  verifyEverySeconds: z.number().positive().max(86_400).default(600),
  /** Upper bound on the mean rate of the RPC calls that compare pool states and currencies with the chain. */
  verifyCallsPerSecond: z.number().positive().max(1000).default(2),
})

/** Five blocks, and at least 15 s: fast chains pause for a moment now and then. */
const defaultMarketAge = (blockSeconds: number): number => Math.max(5 * blockSeconds, 15)

export const chain = chainSchema.transform((given) => ({
  ...given,
  factories: given.factories.map((each) => factoryOn(each, given.wrappedNative)),
  rpcUrls: urlsOf(given.rpcUrls ?? []),
  sendUrls: given.sendUrls && urlsOf(given.sendUrls),
  rpcLimits: limitsOf([...(given.rpcUrls ?? []), ...(given.sendUrls ?? [])]),
  depositTiers: given.depositTiers ?? defaultDepositTiers(given.l1DataFee !== 'none'),
  maxMarketAgeSeconds: given.maxMarketAgeSeconds ?? defaultMarketAge(given.blockSeconds),
  // Null leaves out the preset's.
  sequencerFeed: given.sequencerFeed ?? undefined,
}))

/** A chain of the configuration as it is written. */
export type ChainInput = z.input<typeof chainSchema>
