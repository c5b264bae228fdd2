import { setTimeout as pause } from 'node:timers/promises'
import { encodeFunctionData, numberToHex } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { depository } from '#src/contracts/artifacts/depository.ts'
import { nativeAddress } from '#src/units/address.ts'
import { newAddress } from '#test/bench/attackers/actor.ts'
import { type Attack, type Day, inTurn } from '#test/bench/attackers/attack.ts'
import { ethereum, rollup } from '#test/bench/attackers/world.ts'

/** Deposits that nobody wants, and quotes that nobody pays for: they delay the others. */
export const dust: Day = {
  name: 'dust and flooding',
  strategies: [
    { name: 'deposits of 1 wei for unknown orders', run: inTurn(dustDeposits) },
    { name: 'deposits of 1 wei for a quote', run: inTurn(dustForQuote) },
    { name: 'quotes under the address of a busy wallet', run: inTurn(floodQuotes) },
  ],
}

async function dustDeposits({ actor, world }: Attack): Promise<void> {
  const { depository: to } = world.contractsOn(ethereum)
  for (let at = 0; at < 3; at += 1) {
    const orderId = generatePrivateKey()
    const args = [nativeAddress, orderId] as const
    const data = encodeFunctionData({ abi: depository.abi, functionName: 'depositNative', args })
    await actor.send(ethereum, { to, data, value: 1n })
  }
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

/** Anonymous quotes that name the depository as their user: every transfer of it looks them up. */
async function floodQuotes({ world, trading }: Attack, at: number): Promise<void> {
  const user = at % 2 === 0 ? world.contractsOn(ethereum).depository : newAddress()
  const ask = (wei: number) =>
    trading
      .quote(user, [ethereum, 'ETH'], [rollup, 'ETH'], 10n ** 17n + BigInt(numberToHex(wei)))
      .catch(() => undefined)
  await Promise.all(Array.from({ length: 50 }, (_, wei) => ask(wei)))
}
