import { setTimeout as pause } from 'node:timers/promises'
import { createActor, fund } from '#test/bench/attackers/actor.ts'
import { type Attack, type Day, inTurn } from '#test/bench/attackers/attack.ts'
import type { Place } from '#test/bench/attackers/trade.ts'
import { QuoteRefused } from '#test/bench/attackers/trade.ts'
import { ethereum, rollup, type World } from '#test/bench/attackers/world.ts'
import { mineAtUsualFee } from '#test/support/chains/sendUntilMined.ts'
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
/** Of 48 bits, which a provider gives to any customer. */
const networks = 100
/** More than there are addresses. */
const most = 400
const honestAmount = 300n * 10n ** 6n

/** Asks for addresses from one network after the other; then a frontend and an honest caller want one. */
async function takeAddresses(attack: Attack): Promise<void> {
  const { actor, quote, trading } = attack
  const ask = (network: string, by: 'anonymous' | 'frontend') =>
    trading.quote(actor.address, usdc, [rollup, 'USDC'], honestAmount, {
      useDepositAddress: true,
      strict: true,
      network,
      by,
    })
  let refused = 0
  for (let at = 0; at < most && refused < networks; at += 1) {
    const network = `2001:db8:${at % networks}::1`
    const change = { useDepositAddress: true, strict: true, network }
    const trade = await quote(usdc, [rollup, 'USDC'], honestAmount, change)
    refused = trade === undefined ? refused + 1 : 0
  }
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
  const trade = await trading.quote(honest.address, ether, [rollup, 'ETH'], 10n ** 17n)
  await world.devnet.suspendMining(ethereum, async () => {
    const { trades } = await depositAtOnce(attack, deposits, { amounts: [small] })
    attack.trades.push(...trades)
    const arePaid = async () =>
      (await Promise.all(trades.map(trading.paid))).every((paid) => paid > 0n)
    await mineSlowly(world, 30, arePaid)
    const sent = trading.deposit(honest, trade)
    await mineSlowly(world, promptSeconds, async () => (await trading.paid(trade)) > 0n)
    await sent
  })
  if ((await trading.paid(trade)) === 0n) attack.harmed(300)
}

/** Mines a block a second, so that no deposit is final too early, until the condition holds. */
async function mineSlowly(
  world: World,
  most: number,
  isEnough: () => Promise<boolean>,
): Promise<void> {
  for (let at = 0; at < most && !(await isEnough()); at += 1) {
    await pause(1_000)
    await mineAtUsualFee(world.on(ethereum))
  }
}
