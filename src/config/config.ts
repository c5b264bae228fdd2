import { z } from 'zod'
import { type Address, evmAddress, nativeAddress } from '#src/core/units/address.ts'
import { toBps } from '#src/core/units/bps.ts'
import { toUsd } from '#src/core/units/usd.ts'
import { chain } from './chain.ts'
import {
  chainIdIssues,
  endpointIssues,
  type Issue,
  poolBoundIssues,
  priceFeedIssues,
} from './configIssues.ts'
import { type JsonFile, readJsonFile } from './jsonFile.ts'
import { withPresets } from './presets/withPresets.ts'
import { relayer, relayerIssues } from './relayer.ts'
import { splitChains, svmChain, svmSolver } from './svm/svmChain.ts'
import { svmIssues } from './svm/svmIssues.ts'
import { targetIssues, targets } from './targets.ts'
import { upstream, upstreamIssues, withoutSolver } from './upstream.ts'
import { account, address, bps, chainId, dollars, isHttps } from './values.ts'

const apiKeys = z
  .array(
    z.strictObject({
      /** The client's name in records. */
      name: z.string().min(1).max(64),
      key: z.string().min(16).max(256),
      /** Whether the client may pay the fees of its users. */
      sponsors: z.boolean().default(false),
      /** Whether its quotes may have a `fixedRate` below the fee schedule: the solver then earns less. */
      discounts: z.boolean().default(false),
      /** Whether it may read the solver's books: inventory, volume, fees, gas and profit. */
      operator: z.boolean().default(false),
      /** Maximum open quotes of the key, in place of the general `maxOpenQuotes`. */
      maxOpenQuotes: z.int().min(1).optional(),
      /** Maximum gas costs of the relayer for the key within 24 hours, in place of `relayer.gasBudgetUsd`. */
      gasBudgetUsd: dollars.optional(),
      /** Receives every change of the requests that were quoted with the key, signed with the key. */
      webhookUrl: z.url({ protocol: /^https?$/ }).optional(),
    }),
  )
  .default([])

/** Two clients must not have the same key. */
function apiKeyIssues({
  apiKeys: clients,
}: Readonly<{ apiKeys: z.output<typeof apiKeys> }>): readonly Issue[] {
  const keys = clients.map(({ key }) => key)
  return keys.flatMap((key, at) =>
    keys.indexOf(key) < at
      ? [{ path: ['apiKeys', at, 'key'], message: 'another client has the same key' }]
      : [],
  )
}

/** A path or an https URL. The currencies of a token list count as verified, so plain http is refused. */
const tokenListLocation = z
  .string()
  .min(1)
  .refine((location) => !/^[a-z][a-z0-9+.-]*:\/\//i.test(location) || isHttps(location), {
    error: 'must be a path or an https URL',
  })

export const configSchema = z
  .strictObject({
    /** Empty only with an `upstream`: the gateway then forwards every request. */
    chains: z.array(chain),
    /** The entries of `chains` whose `vmType` is `svm`: see `splitChains`. */
    svmChains: z.array(svmChain).default([]),
    /**
     * Files in the Uniswap token-list format, relative to the configuration, or https URLs. If several lists have a
     * currency, the first one counts.
     */
    tokenList: z
      .union([tokenListLocation, z.array(tokenListLocation).min(1)])
      .transform((paths) => [paths].flat())
      .optional(),
    solver: z.strictObject({
      /** The solver's account. Its balances limit payouts on destination chains. */
      address,
      /** The account that signs the payouts of the depositories. Defaults to `address`. */
      allocator: address.optional(),
      /**
       * The `solver` of orders. Orders are marked as filled on chain in its name. It stays the same when the key of
       * `address` is replaced. Defaults to `address`. Another identity must register `address` on every chain, by
       * `setKey` of the approval proxy.
       */
      identity: address.optional(),
      /** Requests with a larger payout are refunded. Absent: only the solver's balance limits payouts. */
      mostPayoutUsd: dollars.optional(),
      /**
       * Maximum value of a request's plain ERC-20 transfers on one chain. Larger ones are refunded, and quotes do not
       * ask for them: the depository does not record plain transfers.
       */
      unrecordedLimitUsd: dollars.default(toUsd(1_000_000_000n)),
      /** The largest gas top-up that a quote may ask for. */
      maxTopupUsd: dollars.default(toUsd(10_000_000n)),
      /** Refunds requests with the referrer "debug-force-refund". For devnets. */
      forcesRefunds: z.boolean().default(false),
      /** The largest gas limit of a refund. A refund that needs more gas counts as reverting. */
      maxRefundGas: z.int().min(100_000).max(30_000_000).default(1_000_000),
      /**
       * Maximum gas an hour and chain that reverting transactions of signed permits may cost, of payers without a permit
       * that has paid. Beyond it, first permits of payers wait.
       */
      maxRevertedPermitsUsd: dollars.default(toUsd(25_000_000n)),
      /** Days during which a refund is retried if it fails or costs more than it pays. */
      refundRetryDays: z.number().min(0).max(365).default(7),
      /**
       * Maximum seconds that a filled deposit waits to be settled together with others. Settled alone, it costs five
       * times as much gas. Twenty waiting deposits, or a fill that needs the currency, end the wait. At most three
       * days: a depositor can take a deposit back after fourteen days.
       */
      settleAfterSeconds: z.int().min(0).max(259_200).default(3_600),
      /**
       * Seconds after a deposit within which the operator adds the balance that the solver lacks for a quote. The user
       * must allow such a quote (`useExternalLiquidity`). At most three days. 0: such quotes are refused.
       */
      externalLiquiditySeconds: z.int().min(0).max(259_200).default(0),
      /**
       * Chain time for which the feeds of an asset must disagree until it is stopped. Meanwhile it is not filled either.
       */
      pegStopSeconds: z.int().min(0).max(86_400).default(600),
      /**
       * Chain time over which payments to open deposit addresses are priced. An attacker has to move pools for two fifths
       * of it to lower the minimum output. 0: the current block alone, for devnets.
       */
      openPriceSeconds: z.int().min(0).max(3_600).default(300),
      /** What the solver should hold of each currency, for the books and their advice. */
      targets,
      /** Its accounts on chains whose `vmType` is `svm`. Required if one of them has a `program`. */
      svm: svmSolver.optional(),
    }),
    /** Sends the calls of API keys, and pays their gas. Absent: such calls are refused. */
    relayer: relayer.optional(),
    /** Clients that identify themselves with an `x-api-key` header. */
    apiKeys,
    /** Maximum stored quotes that wait for a deposit or swap, for each API key, else for each network address. */
    maxOpenQuotes: z.int().min(1).default(1000),
    /** Days from a quote's deadline until the quote is deleted if nobody has paid for it. */
    quoteRetentionDays: z.int().min(0).max(3650).default(30),
    /** Reverse proxies in front of the gateway, each of which appends to `X-Forwarded-For`. */
    proxies: z.int().min(0).max(16).default(0),
    /** Maximum share of the input's value that a quote's swaps may lose. A quote can override it. */
    maxSwapImpact: bps.default(toBps(1500n)),
    /** Seconds from a multi-input quote to its deposit deadline. */
    multiInputSeconds: z
      .int()
      .min(1)
      .max(7 * 86_400)
      .default(1800),
    /** Currencies that are the same asset on several chains. The solver bridges between them. */
    assets: z
      .array(
        z
          .strictObject({
            symbol: z.string().min(1).max(32),
            class: z.enum(['stable', 'major', 'other']),
            currencies: z.array(z.strictObject({ chainId, address: account })).min(1),
            /** Largest difference between its prices on two chains. Absent: 1 % for stable assets, else 3 %. */
            pegTolerance: bps.optional(),
          })
          .transform((asset) => ({
            ...asset,
            pegTolerance: asset.pegTolerance ?? toBps(asset.class === 'stable' ? 100n : 300n),
          })),
      )
      .default([]),
    /** Another service of the same interface. It quotes what this one cannot, if the caller allows fallbacks. */
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
    const issues = [
      ...apiKeyIssues(config),
      ...upstreamIssues(config),
      ...priceFeedIssues(config),
      ...poolBoundIssues(config),
      ...relayerIssues(config),
      ...chainIdIssues(config),
      ...targetIssues(config),
      ...svmIssues(config),
    ]
    for (const issue of issues) context.addIssue({ code: 'custom', ...issue })
  })

/** The parsed configuration. docs/configuration.md describes each key. */
export type Config = z.output<typeof configSchema>
/** A configuration before `parseConfig`, with optional keys left out. */
export type ConfigInput = z.input<typeof configSchema>
export type ChainConfig = Config['chains'][number]

/** The currencies in which users deposit on a chain. */
export function depositCurrencies(
  { assets }: Config,
  { id, wrappedNative }: ChainConfig,
): ReadonlySet<Address> {
  const bridged = assets.flatMap(({ currencies }) =>
    currencies.filter(({ chainId }) => chainId === id),
  )
  const addresses = bridged.map((each) => evmAddress(each.address))
  return new Set([nativeAddress, wrappedNative, ...addresses])
}

type LineOf = JsonFile['lineOf']
type Path = readonly PropertyKey[]

/** Lists all problems of a configuration, with their lines if it comes from a file. */
class ConfigError extends Error {
  constructor(source: string, error: z.ZodError, pathOf: (path: Path) => Path, lineOf?: LineOf) {
    const lines = withoutFollowers(error.issues).map((issue) => {
      const path = pathOf(issue.path)
      const keys = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : []
      const place = lineOf === undefined ? '' : `line ${lineOf([...path, ...keys])}: `
      return `  ${place}${path.join('.') || '(root)'}: ${issue.message}`
    })
    super(`${source} is not a valid configuration:\n${lines.join('\n')}`)
    this.name = 'ConfigError'
  }
}

/** Without what only follows from the unknown preset of a chain: the fields that it would have filled in. */
function withoutFollowers(issues: readonly z.core.$ZodIssue[]): readonly z.core.$ZodIssue[] {
  const isOf = (chain: unknown, { path: [list, at] }: z.core.$ZodIssue) =>
    (list === 'chains' || list === 'svmChains') && at === chain
  const wrong = issues.filter(({ path }) => path.length === 3 && path[2] === 'preset')
  const isMissing = ({ code, message }: z.core.$ZodIssue) =>
    code === 'invalid_type' && message.endsWith('received undefined')
  return issues.filter(
    (issue) => !(isMissing(issue) && wrong.some(({ path }) => isOf(path[1], issue))),
  )
}

type ReadOptions = Readonly<{
  /** Whether chains may be without `rpcUrls`: true for a process that reads its market from a feed. */
  canLackEndpoints?: boolean
}>

/**
 * @param source name of the input in error messages.
 * @throws ConfigError that lists every wrong key.
 */
export function parseConfig(
  input: unknown,
  source: string,
  { canLackEndpoints = false, lineOf }: ReadOptions & Readonly<{ lineOf?: LineOf }> = {},
): Config {
  const schema = configSchema.superRefine((config, context) => {
    for (const issue of endpointIssues(config, canLackEndpoints))
      context.addIssue({ code: 'custom', ...issue })
  })
  const split = splitChains(withPresets(withoutSolver(input)))
  const parsed = schema.safeParse(split.input)
  if (!parsed.success) throw new ConfigError(source, parsed.error, split.pathOf, lineOf)
  return parsed.data
}

/** @throws ConfigError that lists every wrong key with its line; Error if the file cannot be read, or is not JSON. */
export function readConfig(path: string, options: ReadOptions = {}): Config {
  const { value, lineOf } = readJsonFile(path)
  return parseConfig(value, path, { ...options, lineOf })
}
