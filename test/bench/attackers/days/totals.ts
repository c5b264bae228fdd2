import { createActor, fund } from '#test/bench/attackers/actor.ts'
import { type Attack, type Day, inTurn } from '#test/bench/attackers/attack.ts'
import type { Place, Trade } from '#test/bench/attackers/trade.ts'
import { QuoteRefused } from '#test/bench/attackers/trade.ts'
import { ethereum, rollup } from '#test/bench/attackers/world.ts'

/** Totals of all callers that one caller with many networks and accounts uses up. */
export const totals: Day = {
  name: 'totals of all callers',
  isSequential: true,
  strategies: [
    { name: 'deposit addresses from a hundred networks', run: takeAddresses },
    { name: 'deposits that use up what may be unfinalized', run: inTurn(takeExposure) },
  ],
}

const usdc: Place = [ethereum, 'USDC']
const honestAmount = 300n * 10n ** 6n

/** Asks for addresses from one network after the other; then a frontend and an honest caller want one. */
async function takeAddresses(attack: Attack): Promise<void> {
  const { actor, quote, trading } = attack
  const ask = (network: string, by: 'anonymous' | 'frontend') =>
    trading.quote(actor.address, usdc, [rollup, 'USDC'], honestAmount, {
      ...{ useDepositAddress: true, strict: true, network, by },
    })
  for (let at = 0; at < 150; at += 1)
    await quote(usdc, [rollup, 'USDC'], honestAmount, {
      ...{ useDepositAddress: true, strict: true, network: `2001:db8:${at % 100}::1` },
    })
  for (const by of ['frontend', 'anonymous'] as const)
    await ask('192.0.2.7', by).catch((error) => {
      if (!(error instanceof QuoteRefused)) throw error
      attack.harmed(300)
    })
}

const ether: Place = [ethereum, 'ETH']
/** Together almost all that may be filled before it is final. */
const large = 277n * 10n ** 16n
/** A deposit that waits for finality takes minutes. */
const promptSeconds = 20

async function takeExposure(attack: Attack, at: number): Promise<void> {
  const { deposit, quote, trading, world } = attack
  // What was used up is free again once it is final.
  if (at > 1) return
  const honest = createActor(world)
  await fund(world, [honest], {})
  const taken: Trade[] = []
  for (let each = 0; each < 3; each += 1) {
    const trade = await quote(ether, [rollup, 'ETH'], large)
    if (trade === undefined) continue
    await deposit(trade)
    taken.push(trade)
  }
  await Promise.all(taken.map((trade) => trading.ended(trade, 5)))
  const trade = await trading.quote(honest.address, ether, [rollup, 'ETH'], 10n ** 17n)
  await trading.deposit(honest, trade)
  if (!(await trading.ended(trade, promptSeconds))) attack.harmed(300)
}
