import { createActor, fund } from '#test/bench/attackers/actor.ts'
import { type Attack, type Day, inTurn } from '#test/bench/attackers/attack.ts'
import type { Place } from '#test/bench/attackers/trade.ts'
import { QuoteRefused } from '#test/bench/attackers/trade.ts'
import { ethereum, rollup } from '#test/bench/attackers/world.ts'
import { depositAtOnce } from './takeBack.ts'

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
/** Small enough to be filled before they are final; together all that may be unfinalized. */
const small = 33n * 10n ** 16n
const deposits = 25
/** A deposit that waits for finality takes a minute. */
const promptSeconds = 20

async function takeExposure(attack: Attack, at: number): Promise<void> {
  const { trading, world } = attack
  if (at > 0) return
  const honest = createActor(world)
  await fund(world, [honest], {})
  const { trades } = await world.devnet.suspendMining(ethereum, () =>
    depositAtOnce(attack, deposits, { amounts: [small] }),
  )
  attack.trades.push(...trades)
  await Promise.all(trades.map((trade) => trading.ended(trade, promptSeconds)))
  const trade = await trading.quote(honest.address, ether, [rollup, 'ETH'], 10n ** 17n)
  await trading.deposit(honest, trade)
  if (!(await trading.ended(trade, promptSeconds))) attack.harmed(300)
}
