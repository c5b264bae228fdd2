import type { Hex } from 'viem'
import { type Attack, type Day, inTurn } from '#test/bench/attackers/attack.ts'
import { ethereum, rollup } from '#test/bench/attackers/world.ts'

/**
 * Fills are simulated before they are sent. These recipients behave in the simulation, and revert or burn gas on chain:
 * the solver pays gas for nothing.
 */
export const revertingFills: Day = {
  name: 'reverting fills',
  strategies: [
    // GASPRICE ISZERO: accepts only if the gas price is zero, else reverts.
    { name: 'recipient that looks at the gas price', run: pay('0x3a156008575f5ffd5b00') },
    // NUMBER PUSH1 1 AND: reverts in every second block.
    { name: 'recipient that reverts in odd blocks', run: pay('0x4360011615600b575f5ffd5b00') },
    // Like the first, but loops until the gas is used up.
    { name: 'recipient that burns gas on chain', run: pay('0x3a156009575b6005565b00') },
  ],
}

function pay(runtime: Hex) {
  return inTurn(async (attack: Attack): Promise<void> => {
    const { actor } = attack
    const recipient = await actor.nextContract(rollup)
    attack.addresses.add(recipient)
    const trade = await attack.quote([ethereum, 'ETH'], [rollup, 'ETH'], 10n ** 17n, { recipient })
    if (trade === undefined) return
    await actor.deploy(rollup, runtime)
    await attack.deposit(trade)
  })
}
