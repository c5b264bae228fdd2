import { setTimeout as pause } from 'node:timers/promises'
import type { Attack, Day } from '#test/bench/attackers/attack.ts'
import { waitFor } from '#test/bench/attackers/waitFor.ts'
import { ethereum, rollup } from '#test/bench/attackers/world.ts'
import { losingStore } from '#test/support/store/losingStore.ts'

/** The database loses a fill that was sent: its replica takes over without the last commit. */
export const lostCommit: Day = {
  name: 'a lost commit',
  strategies: [{ name: 'deposits while the commit of a fill is lost', run: deposits }],
}

async function deposits(attack: Attack, count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    const trade = await attack.quote([ethereum, 'ETH'], [rollup, 'ETH'], 10n ** 17n)
    if (trade === undefined) continue
    if (at === Math.floor(count / 2)) await loseNextFill(attack)
    await attack.deposit(trade)
    if (at === Math.floor(count / 2)) await takeOver(attack)
  }
}

async function loseNextFill({ world }: Attack): Promise<void> {
  await world.restart((store) =>
    losingStore(store, ({ transactions = [] }) =>
      transactions.some(({ purpose }) => purpose === 'fill'),
    ),
  )
}

/** The operator finds the account stopped, checks the chain, and accepts the nonces that the replica lacks. */
async function takeOver({ world }: Attack): Promise<void> {
  // The fill is sent and mined meanwhile.
  await pause(5_000)
  await world.restart()
  const stopped = async () =>
    (await world.metric('crossquote_solver_unknown_nonces')).filter((line) => !line.endsWith(' 0'))
  await waitFor(async () => (await stopped()).length > 0, 10)
  await pause(1_000)
  for (const { id } of world.devnet.description.chains) await world.reconcile(id)
}
