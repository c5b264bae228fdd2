import { setTimeout as pause } from 'node:timers/promises'
import { encodeFunctionData, type Hex, numberToHex } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { type Address, nativeAddress } from '#src/core/units/address.ts'
import { depository } from '#src/protocol/contracts/artifacts/depository.ts'
import { newAddress } from '#test/bench/attackers/actor.ts'
import { type Attack, type Day, inTurn, type Strategy } from '#test/bench/attackers/attack.ts'
import { ethereum, rollup } from '#test/bench/attackers/world.ts'

/**
 * Deposits that nobody wants, and quotes that nobody pays for: they delay the others.
 * @param deposits for unknown orders, of 1 wei each
 */
export const dust = (deposits: number): Day => ({
  name: 'dust and flooding',
  strategies: [
    { name: 'deposits of 1 wei for unknown orders', run: dustDeposits(deposits) },
    { name: 'deposits of 1 wei for a quote', run: inTurn(dustForQuote) },
    { name: 'quotes under the address of a busy wallet', run: inTurn(floodQuotes) },
  ],
})

/** Blocks full of dust come once a second, as on a fast chain. */
const secondMs = 1_000

/** The most deposits that one transaction makes: with more it would exceed the gas limit of a transaction. */
const maxAtOnce = 250

/** Makes all of the deposits, a block full of them each second. */
const dustDeposits =
  (deposits: number): Strategy['run'] =>
  async ({ actor, world }) => {
    const { depository: to } = world.contractsOn(ethereum)
    for (let left = deposits; left > 0; left -= maxAtOnce) {
      const made = Math.min(left, maxAtOnce)
      const call = { data: depositsCode(to, made), value: BigInt(made), gas: 15_000_000n }
      const { status } = await actor.send(ethereum, call)
      if (status !== 'success') throw new Error('The dust is not deposited')
      await pause(secondMs)
    }
  }

/** Creation code that deposits 1 wei for each of this many unknown orders, whose ids count up from a random one. */
function depositsCode(to: Address, count: number): Hex {
  const args = [nativeAddress, generatePrivateKey()] as const
  const call = encodeFunctionData({ abi: depository.abi, functionName: 'depositNative', args })
  const code = [
    // CODECOPY(0, 66, 68): the call. The number of deposits is on the stack.
    `604460425f3961${count.toString(16).padStart(4, '0')}`,
    // JUMPDEST at 9; CALL(gas, to, 1, 0, 68, 0, 0); JUMPI(62) if it fails
    `5b5f5f60445f600173${to.slice(2)}5af115603e57`,
    // MSTORE(36, MLOAD(36) + 1); JUMPI(9) while there are more; STOP
    '602451600101602452600190038060095700',
    // JUMPDEST at 62; REVERT(0, 0)
    '5b5f5ffd',
  ]
  return `0x${code.join('')}${call.slice(2)}`
}

async function dustForQuote(attack: Attack): Promise<void> {
  const trade = await attack.quote([ethereum, 'ETH'], [rollup, 'ETH'], 10n ** 17n)
  const orderId = trade?.quoted.orderId
  if (orderId === undefined) return
  const args = [nativeAddress, orderId] as const
  const data = encodeFunctionData({ abi: depository.abi, functionName: 'depositNative', args })
  const { depository: to } = attack.world.contractsOn(ethereum)
  await attack.actor.send(ethereum, { to, data, value: 1n })
  await pause(500)
}

/** Anonymous quotes that name the depository as their user: each of its transfers makes the tracker read them. */
async function floodQuotes({ world, trading }: Attack, at: number): Promise<void> {
  const user = at % 2 === 0 ? world.contractsOn(ethereum).depository : newAddress()
  const ask = (wei: number) =>
    trading
      .quote(user, [ethereum, 'ETH'], [rollup, 'ETH'], 10n ** 17n + BigInt(numberToHex(wei)))
      .catch(() => undefined)
  await Promise.all(Array.from({ length: 50 }, (_, wei) => ask(wei)))
}
