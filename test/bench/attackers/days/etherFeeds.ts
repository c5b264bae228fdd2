import { setTimeout as pause } from 'node:timers/promises'
import { encodeFunctionData } from 'viem'
import { users } from '#src/devnet/accounts.ts'
import { priceFeed } from '#src/devnet/artifacts/priceFeed.ts'
import { createActor } from '#test/bench/attackers/actor.ts'
import type { Trade } from '#test/bench/attackers/trade.ts'
import { bnb, ethereum, rollup, type World } from '#test/bench/attackers/world.ts'

/** Price of ether at the devnet's start, in US dollars. */
export const etherPrice = 3000

/** Sets the feeds of ether. `frozenAt` is the time of their answer in seconds since 1970; 0 is always now. */
export const setEther = (world: World, dollars: number, frozenAt = 0n): Promise<void> =>
  setFeeds(world, { symbol: 'ETH', chainIds: [ethereum, rollup, bnb] }, dollars, frozenAt)

/** Sets the feeds of a currency on these chains. */
export async function setFeeds(
  world: World,
  { symbol, chainIds }: Readonly<{ symbol: string; chainIds: readonly number[] }>,
  dollars: number,
  frozenAt = 0n,
): Promise<void> {
  const anybody = createActor(world, users[3].privateKey)
  const args = [BigInt(Math.round(dollars * 10 ** 8)), frozenAt] as const
  const data = encodeFunctionData({ abi: priceFeed.abi, functionName: 'set', args })
  const aggregators = chainIds.flatMap((chainId) =>
    (world.config.chains.find(({ id }) => id === chainId)?.priceFeeds ?? [])
      .filter(({ currency }) => currency === world.currencyOn(chainId, symbol))
      .map(({ aggregator }) => ({ chainId, aggregator })),
  )
  await Promise.all(
    aggregators.map(({ chainId, aggregator: to }) => anybody.send(chainId, { to, data })),
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
