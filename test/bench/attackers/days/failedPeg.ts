import { type Attack, type Day, inTurn } from '#test/bench/attackers/attack.ts'
import type { Place, Trade } from '#test/bench/attackers/trade.ts'
import { ethereum, rollup, type World } from '#test/bench/attackers/world.ts'
import { quotesOf, setFeeds } from './etherFeeds.ts'

const factor = 0.1

/** A stablecoin loses its value on one chain, and attackers take the solver's good one of another chain for it. */
export const failedPeg: Day = {
  name: 'a peg that fails on the origin chain',
  moves: [{ asset: 'USDC', chainId: ethereum, factor }],
  avoided: [[ethereum, 'USDC']],
  isSequential: true,
  strategies: [
    { name: 'deposits at quotes from before the failure', run: depositEarlyQuotes },
    { name: 'quotes after the failure', run: inTurn(quoteLate) },
  ],
  end: (world) => setPrice(world, 1),
}

const from: Place = [ethereum, 'USDC']
const to: Place = [rollup, 'USDC']
const amount = 500n * 10n ** 6n
/** No pool takes the failed currency: their prices do not follow here. */
const bridged = { disableOriginSwaps: true }
const patienceSeconds = 30

const setPrice = (world: World, dollars: number): Promise<void> =>
  setFeeds(world, { symbol: 'USDC', chainIds: [ethereum] }, dollars)

async function depositEarlyQuotes(attack: Attack, count: number): Promise<void> {
  const trades = await quotesOf(count, () => attack.quote(from, to, amount, bridged))
  await setPrice(attack.world, factor)
  for (const trade of trades) await attack.deposit(trade)
  await Promise.all(trades.map((trade: Trade) => attack.trading.ended(trade, patienceSeconds)))
}

async function quoteLate(attack: Attack): Promise<void> {
  const trade = await attack.quote(from, to, amount, bridged)
  if (trade !== undefined) await attack.deposit(trade)
}
