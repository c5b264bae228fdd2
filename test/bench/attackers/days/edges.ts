import { setTimeout as pause } from 'node:timers/promises'
import { encodeFunctionData, erc20Abi, parseAbi } from 'viem'
import { depository } from '#src/protocol/contracts/artifacts/depository.ts'
import { createActor, fund, newAddress } from '#test/bench/attackers/actor.ts'
import { type Attack, type Day, inTurn } from '#test/bench/attackers/attack.ts'
import { openPair } from '#test/bench/attackers/pairs.ts'
import type { Place } from '#test/bench/attackers/trade.ts'
import { waitFor } from '#test/bench/attackers/waitFor.ts'
import { ethereum, rollup } from '#test/bench/attackers/world.ts'

/** Users who lose money, or their request, to somebody who watches. */
export const edges: Day = {
  name: 'money at the edges',
  strategies: [
    { name: 'a short deposit ahead of the user', run: inTurn(goAhead) },
    { name: 'a recipient that anybody can empty', run: inTurn(skim) },
    { name: 'a refund address that takes nothing', run: inTurn(refuseRefund) },
  ],
}

const usdc: Place = [ethereum, 'USDC']
const amount = 500n * 10n ** 6n
const patienceSeconds = 60

/** A user with this much USDC, who is not the attacker's. */
async function createVictim({ world }: Attack) {
  const victim = createActor(world)
  await fund(world, [victim], { USDC: amount })
  return victim
}

async function goAhead(attack: Attack): Promise<void> {
  const { actor, trading, world } = attack
  const victim = await createVictim(attack)
  const trade = await trading.quote(victim.address, usdc, [rollup, 'USDC'], amount)
  const { orderId } = trade.quoted
  if (orderId === undefined) throw new Error(`Request ${trade.quoted.requestId} has no order`)
  const currency = world.currencyOn(...usdc)
  const { depository: to } = world.contractsOn(ethereum)
  const little = 12n * 10n ** 6n
  const approval = { abi: erc20Abi, functionName: 'approve', args: [to, little] } as const
  await actor.send(ethereum, { to: currency, data: encodeFunctionData(approval) })
  const args = [actor.address, currency, little, orderId] as const
  const data = encodeFunctionData({ abi: depository.abi, functionName: 'depositErc20', args })
  await actor.send(ethereum, { to, data })
  // A short deposit waits a few blocks for a complete one.
  await pause(15_000)
  await trading.deposit(victim, trade)
  // The short deposit is refunded to the same address.
  const isFilled = await waitFor(async () => (await trading.paid(trade)) > 0n, patienceSeconds)
  if (!isFilled) attack.harmed(500)
}

const skimAbi = parseAbi(['function skim(address to)'])

/** The user names a pool as the recipient; anybody takes what it holds above its reserves. */
async function skim(attack: Attack): Promise<void> {
  const { actor, trading, world } = attack
  const victim = await createVictim(attack)
  const pair = await openPair(world, [rollup, 'USDC', 'USDT'])
  const change = { user: victim.address, recipient: pair.address, refundTo: victim.address }
  const trade = await attack.quote(usdc, [rollup, 'USDC'], amount, change)
  attack.addresses.delete(pair.address)
  attack.addresses.delete(victim.address)
  if (trade === undefined) return
  const before = await trading.paid(trade)
  await trading.deposit(victim, trade)
  await waitFor(async () => (await trading.paid(trade)) > before, patienceSeconds)
  const args = [actor.address] as const
  const data = encodeFunctionData({ abi: skimAbi, functionName: 'skim', args })
  await actor.send(rollup, { to: pair.address, data })
}

/** PUSH0 PUSH0 REVERT */
const reverts = '0x5f5ffd'

async function refuseRefund(attack: Attack): Promise<void> {
  const { quote, deposit, trading, world } = attack
  const refundTo = newAddress()
  await world.on(ethereum).setCode({ address: refundTo, bytecode: reverts })
  const trade = await quote([ethereum, 'ETH'], [rollup, 'ETH'], 10n ** 17n, {
    refundTo,
    referrer: 'debug-force-refund',
  })
  if (trade === undefined) return
  attack.creditors.add(refundTo)
  await deposit(trade)
  if (!(await trading.ended(trade, 15))) attack.harmed(300)
}
