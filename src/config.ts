import { z } from 'zod'
import { toAddress } from '#src/units/address.ts'
import { toBps } from '#src/units/bps.ts'
import { toPips } from '#src/units/pips.ts'
import { toUsd } from '#src/units/usd.ts'
import { defaultDepositTiers, depositTiers } from './config/depositTiers.ts'
import { type JsonFile, readJsonFile } from './config/jsonFile.ts'
import { priceFeedIssues } from './config/priceFeedIssues.ts'
import { upstream, upstreamIssues, withoutSolver } from './config/upstream.ts'
import { address, blockNumber, bps, chainId, dollars, pips } from './config/values.ts'

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

const chainSchema = z.strictObject({
  id: chainId,
  /** Name of the chain in orders, such as "ethereum". */
  name: z
    .string()
    .regex(/^[a-z0-9-]{1,32}$/, 'must be 1 to 32 lower-case letters, digits and hyphens'),
  displayName: z.string().min(1).max(64),
  /** In order of preference: the next endpoint takes over if one fails. */
  rpcUrls: z
    .array(z.url({ protocol: /^https?$/ }))
    .min(1)
    .refine(
      (urls) => new Set(urls).size === urls.length,
      'must differ: each endpoint has one vote',
    ),
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
      }),
    )
    .default([]),
  /** Lets pools price the native currency and the currencies that the solver bridges while they have no current feed. */
  allowPoolPrices: z.boolean().default(false),
  /** Minimum depth of a pool that prices a currency: how much of the priced currency it pays out before the price halves. */
  minPoolDepthUsd: dollars.default(toUsd(10_000_000_000n)),
  /** Number of blocks in which each pool state is compared with the chain once. */
  verifyEveryBlocks: z.int().positive().max(100_000).default(100),
})

const chain = chainSchema.transform((given) => ({
  ...given,
  depositTiers: given.depositTiers ?? defaultDepositTiers(given.l1DataFee !== 'none'),
}))

const configSchema = z
  .strictObject({
    /** Empty only with an `upstream`: the gateway then passes everything on. */
    chains: z.array(chain),
    /** Files in the Uniswap token-list format, relative to the configuration. The first one that has a currency counts. */
    tokenList: z
      .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
      .transform((paths) => [paths].flat())
      .optional(),
    solver: z.strictObject({
      /** The solver's account. Its balances limit payouts on destination chains. */
      address,
      /** The account that signs what the depositories pay out. The solver's own by default. */
      allocator: address.optional(),
      /**
       * The solver of orders: in its name they are marked as filled on chain, and it outlives the account's key. Defaults
       * to `address`. Another identity must register `address` on every chain, by `setKey` of the approval proxy.
       */
      identity: address.optional(),
      /** Requests with a larger payout are refunded. Without it only the balance limits payouts. */
      mostPayoutUsd: dollars.optional(),
      /**
       * Plain ERC-20 transfers of a request that are worth more are refunded, and quotes ask for none: the depository keeps
       * no record of them.
       */
      unrecordedLimitUsd: dollars.default(toUsd(1_000_000_000n)),
      /** The largest gas top-up that a quote may ask for. */
      maxTopupUsd: dollars.default(toUsd(10_000_000n)),
      /** Refunds requests with the referrer "debug-force-refund". For devnets. */
      forcesRefunds: z.boolean().default(false),
      /** The largest gas limit of a refund. One that needs more counts as reverting. */
      maxRefundGas: z.int().min(100_000).max(30_000_000).default(1_000_000),
      /** Days in which a refund that fails, or costs more than it pays, is tried again. */
      refundRetryDays: z.number().min(0).max(365).default(7),
      /**
       * Seconds that a filled deposit waits for others to be settled with, unless a fill needs it or twenty are there: alone
       * it costs five times as much gas. At most three days, as depositors can leave after fourteen.
       */
      settleAfterSeconds: z.int().min(0).max(259_200).default(3_600),
      /**
       * Seconds after a deposit in which the operator brings the solver what it lacks for a quote beyond its balance, where the
       * user allows that (`useExternalLiquidity`). At most three days. 0: such quotes are refused.
       */
      externalLiquiditySeconds: z.int().min(0).max(259_200).default(0),
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
          /** The key's own limit of open quotes. */
          maxOpenQuotes: z.int().min(1).optional(),
          /** Receives every change of the requests that were quoted with the key, signed with the key. */
          webhookUrl: z.url({ protocol: /^https?$/ }).optional(),
        }),
      )
      .default([]),
    /** Stored quotes that wait for their deposit or swap, by API key, else by network address. More are refused. */
    maxOpenQuotes: z.int().min(1).default(1000),
    /** Days after its deadline until a quote that nobody paid for is deleted. */
    quoteRetentionDays: z.int().min(0).max(3650).default(30),
    /** Reverse proxies in front of the gateway, each of which appends to `X-Forwarded-For`. */
    proxies: z.int().min(0).max(16).default(0),
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
    /** Another service of the interface, which quotes what this one cannot where callers allow fallbacks. */
    upstream: upstream.optional(),
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
    for (const issue of upstreamIssues(config)) context.addIssue({ code: 'custom', ...issue })
    for (const issue of priceFeedIssues(config)) context.addIssue({ code: 'custom', ...issue })
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

type LineOf = JsonFile['lineOf']

/** Lists all problems of a configuration, with their lines where it comes from a file. */
class ConfigError extends Error {
  constructor(source: string, error: z.ZodError, lineOf?: LineOf) {
    const lines = error.issues.map((issue) => {
      const keys = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : []
      const place = lineOf === undefined ? '' : `line ${lineOf([...issue.path, ...keys])}: `
      return `  ${place}${issue.path.join('.') || '(root)'}: ${issue.message}`
    })
    super(`${source} is not a valid configuration:\n${lines.join('\n')}`)
    this.name = 'ConfigError'
  }
}

/**
 * @param source name of the input in error messages.
 * @throws ConfigError that lists every wrong key.
 */
export function parseConfig(input: unknown, source: string, lineOf?: LineOf): Config {
  const parsed = configSchema.safeParse(withoutSolver(input))
  if (!parsed.success) throw new ConfigError(source, parsed.error, lineOf)
  return parsed.data
}

/** @throws ConfigError that lists every wrong key with its line; Error if the file cannot be read, or is not JSON. */
export function readConfig(path: string): Config {
  const { value, lineOf } = readJsonFile(path)
  return parseConfig(value, path, lineOf)
}
