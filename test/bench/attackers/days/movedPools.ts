import { createActor, fund, funderOf, newAddress } from '#test/bench/attackers/actor.ts'
import { type Attack, type Day, inTurn } from '#test/bench/attackers/attack.ts'
import { openPair, type Pair } from '#test/bench/attackers/pairs.ts'
import type { Trade } from '#test/bench/attackers/trade.ts'
import { ethereum, rollup } from '#test/bench/attackers/world.ts'

/**
 * Users pay addresses whose minimum nobody signs at that moment. The attacker moves the pool before the payment is
 * priced, and sells back after the fill.
 */
export const movedPools: Day = {
  name: 'pools moved before a payment',
  isSequential: true,
  strategies: [
    {
      name: 'the only pool of an output without a feed',
      run: inTurn((attack) => sandwich(attack, { symbol: 'ACORN', spent: 50_000n })),
    },
    {
      name: 'an output with a feed, within the limit on the impact',
      run: inTurn((attack) => sandwich(attack, { symbol: 'WBTC', spent: 900n })),
    },
    {
      name: 'the surplus of an overpaid deposit',
      run: inTurn((attack) => sandwich(attack, { symbol: 'ACORN', spent: 15_000n, times: 4n })),
    },
  ],
}

type Scene = Readonly<{
  /** The output. */
  symbol: string
  /** USDC that move the pool. */
  spent: bigint
  /** The payment, as a multiple of the quoted amount. Absent: the address is open, and paid as quoted. */
  times?: bigint
}>

const paid = 1_000n * 10n ** 6n

async function sandwich(attack: Attack, { symbol, spent, times }: Scene): Promise<void> {
  const { actor, trading, world } = attack
  const pair = await openPair(world, [rollup, 'USDC', symbol])
  const fair = await pair.reserves(world.currencyOn(rollup, 'USDC'))
  const victim = createActor(world)
  await fund(world, [victim], { USDC: paid })
  const trade = await attack.quote([ethereum, 'USDC'], [rollup, symbol], paid / (times ?? 1n), {
    user: victim.address,
    recipient: newAddress(),
    refundTo: victim.address,
    useDepositAddress: true,
    strict: times !== undefined,
  })
  if (trade === undefined) return
  attack.addresses.delete(trade.recipient)
  attack.addresses.delete(trade.refundTo)
  const bought = await pair.sell(actor, 'USDC', spent * 10n ** 6n)
  await trading.payAddress(victim, trade, paid)
  // Longer, and somebody else would bring the price back.
  await trading.ended(trade, 12)
  await pair.sell(actor, symbol, bought)
  await trading.ended(trade, 30)
  await bringBack(attack, pair, symbol, fair)
  if (times === undefined) attack.harmed(await shortfall(attack, trade))
}

/** Somebody trades the pool back to its fair price. */
async function bringBack({ world }: Attack, pair: Pair, symbol: string, fair: readonly bigint[]) {
  const [, now] = await pair.reserves(world.currencyOn(rollup, 'USDC'))
  const missing = (fair[1] ?? 0n) - now
  if (missing > 0n) await pair.sell(funderOf(world), symbol, missing)
}

/** Value of what the recipient has got below the quoted minimum, in US dollars. */
async function shortfall({ trading }: Attack, trade: Trade): Promise<number> {
  const got = await trading.paid(trade)
  const minimum = trade.quoted.minimum
  if (got === 0n || got >= minimum) return 0
  return (Number(paid) / 10 ** 6) * (1 - Number(got) / Number(minimum))
}
