import { setTimeout as pause } from 'node:timers/promises'
import { encodeFunctionData } from 'viem'
import { users } from '#src/devnet/accounts.ts'
import { priceFeed } from '#src/devnet/artifacts/priceFeed.ts'
import type { Address } from '#src/units/address.ts'
import { createActor } from '#test/bench/attackers/actor.ts'
import type { Attack, Day } from '#test/bench/attackers/attack.ts'
import type { Trade } from '#test/bench/attackers/trade.ts'
import { waitFor } from '#test/bench/attackers/waitFor.ts'
import { bnb, ethereum, rollup, type World } from '#test/bench/attackers/world.ts'
import { mineAtUsualFee } from '#test/support/chains/sendUntilMined.ts'

/** Ether rises by half between the quotes and the deposits. */
const etherMove = 1.5
const etherPrice = 3000

/** Prices move, are missing for a while, and gas becomes dear, between quote and fill. */
export const prices: Day = {
  name: 'prices and gas',
  etherMove,
  isSequential: true,
  strategies: [
    { name: 'deposits while no feed answers', run: inPriceGap },
    { name: 'deposits in a gas spike at quotes from before', run: inGasSpike },
    { name: 'gas top-ups at the price of before a rise', run: topUps },
  ],
  end: (world) => setEther(world, etherPrice),
}

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
async function setEther(world: World, dollars: number, frozenAt = 0n): Promise<void> {
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

async function quotesOf(
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

async function inPriceGap(attack: Attack, count: number): Promise<void> {
  const { world } = attack
  const trades = await quotesOf(count, () =>
    attack.quote([ethereum, 'ETH'], [rollup, 'ETH'], 10n ** 17n),
  )
  await setEther(world, etherPrice, 1n)
  for (const trade of trades) await attack.deposit(trade)
  await pause(4_000)
  await setEther(world, etherPrice)
  await waitFor(
    async () => (await attack.quote([ethereum, 'ETH'], [rollup, 'ETH'], 10n ** 17n)) !== undefined,
    30,
  )
}

/** How many times the usual base fee. */
const spike = 30n

async function inGasSpike(attack: Attack, count: number): Promise<void> {
  const { world } = attack
  const trades = await quotesOf(count, () =>
    attack.quote([rollup, 'ETH'], [ethereum, 'ETH'], 10n ** 17n),
  )
  const client = world.on(ethereum)
  const { baseFeePerGas } = await client.getBlock()
  const deposits: Promise<unknown>[] = []
  await world.devnet.suspendMining(ethereum, async () => {
    for (let at = 0; at < 12; at += 1) {
      await client.setNextBlockBaseFeePerGas({ baseFeePerGas: spike * (baseFeePerGas ?? 0n) })
      await client.mine({ blocks: 1 })
      if (at === 2) deposits.push(...trades.map((trade) => attack.deposit(trade)))
      await pause(500)
    }
    await mineAtUsualFee(client, 1)
  })
  await Promise.all(deposits)
}

/** The user pays in dollars, and gets most of them back as ether for gas. */
async function topUps(attack: Attack, count: number): Promise<void> {
  const usdc = 6_000n * 10n ** 6n
  const trades = await quotesOf(count, async () => {
    const quote = (dollars: string, amount: bigint) =>
      attack.quote([ethereum, 'USDC'], [rollup, 'USDC'], amount, {
        ...{ topupGas: true, topupGasAmount: dollars },
      })
    return (await quote('4500000000', usdc)) ?? quote('10000000', usdc / 20n)
  })
  await setEther(attack.world, etherPrice * etherMove)
  for (const trade of trades) await attack.deposit(trade)
}
