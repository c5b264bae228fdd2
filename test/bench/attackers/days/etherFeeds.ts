import { setTimeout as pause } from 'node:timers/promises'
import { encodeFunctionData } from 'viem'
import { users } from '#src/devnet/accounts.ts'
import { priceFeed } from '#src/devnet/artifacts/priceFeed.ts'
import type { Address } from '#src/units/address.ts'
import { createActor } from '#test/bench/attackers/actor.ts'
import type { Trade } from '#test/bench/attackers/trade.ts'
import { bnb, ethereum, rollup, type World } from '#test/bench/attackers/world.ts'

/** Price of ether at the devnet's start, in US dollars. */
export const etherPrice = 3000

/** The aggregators of ether on all chains. */
const etherFeeds = (world: World): readonly Readonly<{ chainId: number; aggregator: Address }>[] =>
  ([ethereum, rollup, bnb] as const).flatMap((chainId) => {
    const currency = world.currencyOn(chainId, 'ETH')
    const feeds = world.config.chains.find(({ id }) => id === chainId)?.priceFeeds ?? []
    return feeds
      .filter((feed) => feed.currency === currency)
      .map(({ aggregator }) => ({ chainId, aggregator }))
  })

/** Sets the feeds of ether. `frozenAt` is the time of their answer in seconds since 1970; 0 is always now. */
export async function setEther(world: World, dollars: number, frozenAt = 0n): Promise<void> {
  const anybody = createActor(world, users[3].privateKey)
  const args = [BigInt(dollars) * 10n ** 8n, frozenAt] as const
  const data = encodeFunctionData({ abi: priceFeed.abi, functionName: 'set', args })
  await Promise.all(
    etherFeeds(world).map(({ chainId, aggregator }) =>
      anybody.send(chainId, { to: aggregator, data }),
    ),
  )
  // The market reads feeds with the next block.
  await pause(1_500)
}

/** Requests `count` quotes, and returns those that the API does not refuse. */
export async function quotesOf(
  count: number,
  quote: () => Promise<Trade | undefined>,
): Promise<readonly Trade[]> {
  const quotes: Trade[] = []
  for (let at = 0; at < count; at += 1) {
    const trade = await quote()
    if (trade !== undefined) quotes.push(trade)
  }
  return quotes
}
