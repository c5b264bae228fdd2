import { setTimeout as pause } from 'node:timers/promises'
import type { Attack, Day } from '#test/bench/attackers/attack.ts'
import { waitFor } from '#test/bench/attackers/waitFor.ts'
import { ethereum, rollup } from '#test/bench/attackers/world.ts'
import { mineAtUsualFee } from '#test/support/chains/sendUntilMined.ts'
import { etherPrice, quotesOf, setEther } from './etherFeeds.ts'

/** Ether rises by half between the quotes and the deposits. */
const etherMove = 1.5

/** Prices move or are missing for a while, and gas becomes expensive, between quote and fill. */
export const prices: Day = {
  name: 'prices and gas',
  moves: [{ asset: 'ETH', factor: etherMove }],
  isSequential: true,
  strategies: [
    { name: 'deposits while no feed answers', run: inPriceGap },
    { name: 'deposits in a gas spike at quotes from before', run: inGasSpike },
    { name: 'gas top-ups at the price of before a rise', run: topUps },
  ],
  end: (world) => setEther(world, etherPrice),
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

/** Factor on the usual base fee. */
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
        topupGas: true,
        topupGasAmount: dollars,
      })
    return (await quote('4500000000', usdc)) ?? quote('10000000', usdc / 20n)
  })
  await setEther(attack.world, etherPrice * etherMove)
  for (const trade of trades) await attack.deposit(trade)
}
