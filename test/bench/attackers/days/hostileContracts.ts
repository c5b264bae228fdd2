import { encodeFunctionData, type Hex } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { depository } from '#src/protocol/contracts/artifacts/depository.ts'
import { type Attack, type Day, inTurn } from '#test/bench/attackers/attack.ts'
import { ethereum, rollup } from '#test/bench/attackers/world.ts'

/** Contracts of the attacker that the solver's payouts call. */
export const hostileContracts: Day = {
  name: 'hostile contracts',
  strategies: [
    { name: 'deposits of a currency that burns gas', run: depositJunk },
    { name: 'refund addresses that burn gas', run: refundToBurner },
    { name: 'app fee recipients that burn gas', run: feesToBurner },
  ],
}

/** JUMPDEST PUSH0 JUMP: loops until the gas is used up. */
const burner: Hex = '0x5b5f56'

/**
 * A currency whose `transfer` loops until the gas is used up. Its balances grow while a transaction uses gas, and every
 * other call returns true.
 */
const junk: Hex = `0x${[
  '5f3560e01c8063a9059cbb146020576370a0823114602457',
  '60015f5260205ff3',
  '5b602056',
  '5b5a195f5260205ff3',
].join('')}`

/** One deposit for an unknown order, and one for a quote of another currency, in turn. */
async function depositJunk(attack: Attack, count: number): Promise<void> {
  const { actor, world } = attack
  const currency = await actor.deploy(ethereum, junk)
  const { depository: to } = world.contractsOn(ethereum)
  for (let at = 0; at < count; at += 1) {
    const quoted =
      at % 2 === 0
        ? undefined
        : await attack.quote([ethereum, 'USDC'], [rollup, 'USDC'], 300n * 10n ** 6n)
    const id = quoted?.quoted.orderId ?? generatePrivateKey()
    const args = [actor.address, currency, 10n ** 18n, id] as const
    const data = encodeFunctionData({ abi: depository.abi, functionName: 'depositErc20', args })
    const { status } = await actor.send(ethereum, { to, data })
    if (status !== 'success') throw new Error('The depository refused the currency')
  }
}

async function refundToBurner(attack: Attack, count: number): Promise<void> {
  const refundTo = await attack.actor.deploy(ethereum, burner)
  attack.creditors.add(refundTo)
  await inTurn(async ({ deposit, quote }) => {
    const trade = await quote([ethereum, 'ETH'], [rollup, 'ETH'], 10n ** 17n, {
      refundTo,
      referrer: 'debug-force-refund',
    })
    if (trade !== undefined) await deposit(trade)
  })(attack, count)
}

/** The settlement pays them out of the deposit. */
async function feesToBurner(attack: Attack, count: number): Promise<void> {
  const recipient = await attack.actor.deploy(ethereum, burner)
  attack.creditors.add(recipient)
  await inTurn(async ({ deposit, quote }) => {
    const trade = await quote([ethereum, 'ETH'], [rollup, 'ETH'], 10n ** 17n, {
      appFees: Array.from({ length: 16 }, () => ({ recipient, fee: '10' })),
    })
    if (trade !== undefined) await deposit(trade)
  })(attack, count)
}
