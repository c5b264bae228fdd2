import { setTimeout as pause } from 'node:timers/promises'
import type { Attack, Day } from '#test/bench/attackers/attack.ts'
import { waitFor } from '#test/bench/attackers/waitFor.ts'
import { ethereum } from '#test/bench/attackers/world.ts'
import { mineAtUsualFee } from '#test/support/chains/sendUntilMined.ts'
import { depositAtOnce } from './takeBack.ts'

/** The deepest reorg that the attacker can cause, in blocks. */
const depth = 3
/** The chain is slow meanwhile: a block takes as long. */
const blockSeconds = 8

/** Wei of a deposit that is filled after a few blocks, and of one that has to be final. */
const [small, large] = [10n ** 17n, 4n * 10n ** 18n]

/** Takes deposits back by a reorg, once they were filled or refunded. */
export const reorgs: Day = {
  name: 'reorgs',
  isSequential: true,
  strategies: [
    { name: 'takes back deposits that were filled', run: takeBack([small, large]) },
    {
      name: 'takes back deposits that were refunded',
      run: takeBack([small], { referrer: 'debug-force-refund' }),
    },
  ],
}

function takeBack(amounts: readonly bigint[], change: Readonly<Record<string, unknown>> = {}) {
  return async (attack: Attack, count: number): Promise<void> => {
    const { trading, world } = attack
    await world.devnet.suspendMining(ethereum, async () => {
      const deposits = await depositAtOnce(attack, count, { amounts, change })
      const arePaid = async () => {
        const paid = deposits.trades.map(
          async (each) => (await trading.paid(each)) + (await trading.repaid(each)) > 0n,
        )
        return (await Promise.all(paid)).every(Boolean)
      }
      for (let height = 1; !(await waitFor(arePaid, blockSeconds)) && height < depth; height += 1)
        await mineAtUsualFee(world.on(ethereum))
      await deposits.takeBack()
    })
    // Earlier signed transactions may still be sent, and sent ones may be mined again.
    await pause(3_000)
  }
}
