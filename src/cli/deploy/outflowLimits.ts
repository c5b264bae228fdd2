import { encodeFunctionData, erc20Abi, keccak256, type PublicClient, stringToHex } from 'viem'
import { type ChainConfig, type Config, depositCurrencies } from '#src/config/config.ts'
import { type Address, nativeAddress } from '#src/core/units/address.ts'
import { isNative } from '#src/core/units/currency.ts'
import { aggregatorV3Abi } from '#src/protocol/contracts/abis.ts'
import { depository as depositoryArtifact } from '#src/protocol/contracts/artifacts/depository.ts'

/** In US dollars, of each currency an hour. */
export const limitUsd = 250_000n

const { abi } = depositoryArtifact

/** A currency of deposits, and its price feed if there is one. */
export type LimitedCurrency = Readonly<{ currency: Address; aggregator: Address | undefined }>

/** The native currency and its wrapped one share a feed. */
export function limitedCurrencies(config: Config, chain: ChainConfig): readonly LimitedCurrency[] {
  const { priceFeeds, wrappedNative } = chain
  const feedOf = (address: Address) =>
    priceFeeds.find(({ currency }) => currency === address)?.aggregator
  const ether = feedOf(nativeAddress) ?? feedOf(wrappedNative)
  return [...depositCurrencies(config, chain)].map((currency) => ({
    currency,
    aggregator: isNative(currency) || currency === wrappedNative ? ether : feedOf(currency),
  }))
}

type Target = Readonly<{
  chain: Readonly<{ name: string; nativeCurrency: Readonly<{ decimals: number }> }>
  roles: Readonly<{ owner: Address }>
  limited: readonly LimitedCurrency[]
  report: (line: string) => void
}>

/**
 * Reports which currencies have no outflow limit, so that nothing of them can be settled, and the call by which the
 * owner sets limits worth 250,000 US dollars. Prices come from the feeds, rounded down.
 */
export async function reportLimits(
  client: PublicClient,
  depository: Address,
  { chain, roles, limited, report }: Target,
): Promise<void> {
  const limits = await Promise.all(
    limited.map(({ currency }) =>
      client.readContract({
        address: depository,
        abi,
        functionName: 'outflowLimit',
        args: [currency],
      }),
    ),
  )
  const missing = limited.filter((_, at) => limits[at] === 0n)
  if (missing.length === 0) return
  const unpriced = missing.filter(({ aggregator }) => aggregator === undefined)
  if (unpriced.length > 0)
    report(
      `without a price feed, the owner must choose outflow limits for ${unpriced.map(({ currency }) => currency).join(', ')}`,
    )
  const proposed = await Promise.all(
    missing.flatMap(({ currency, aggregator }) =>
      aggregator === undefined ? [] : [proposeLimit(client, currency, aggregator, chain)],
    ),
  )
  if (proposed.length === 0) return
  const data = encodeFunctionData({ abi, functionName: 'setOutflowLimits', args: [proposed] })
  report(
    `${missing.length} currencies have no outflow limit, so their deposits cannot be settled. For $${limitUsd} an hour, the owner ${roles.owner} calls ${depository} with ${data}`,
  )
}

/** Reports the call by which the owner sets the name of the chain in orders, unless the depository has it. */
export async function reportChainName(
  client: PublicClient,
  depository: Address,
  { chain, roles, report }: Omit<Target, 'limited'>,
): Promise<void> {
  const hash = await client.readContract({
    address: depository,
    abi,
    functionName: 'chainNameHash',
  })
  if (hash === keccak256(stringToHex(chain.name))) return
  const data = encodeFunctionData({ abi, functionName: 'setChainName', args: [chain.name] })
  report(
    `the depository does not have the name ${chain.name} of its chain, so nothing is quoted. The owner ${roles.owner} calls ${depository} with ${data}`,
  )
}

async function proposeLimit(
  client: PublicClient,
  currency: Address,
  aggregator: Address,
  { nativeCurrency }: Target['chain'],
): Promise<Readonly<{ currency: Address; amount: bigint }>> {
  const feed = { address: aggregator, abi: aggregatorV3Abi } as const
  const [decimals, scale, [, price]] = await Promise.all([
    isNative(currency)
      ? nativeCurrency.decimals
      : client.readContract({ address: currency, abi: erc20Abi, functionName: 'decimals' }),
    client.readContract({ ...feed, functionName: 'decimals' }),
    client.readContract({ ...feed, functionName: 'latestRoundData' }),
  ])
  if (price <= 0n) throw new Error(`Price feed ${aggregator} has no price`)
  return { currency, amount: (limitUsd * 10n ** BigInt(decimals + scale)) / price }
}
