import { encodeFunctionData, type Hex, parseEventLogs, type TransactionReceipt } from 'viem'
import { nativeAddress } from '#src/core/units/address.ts'
import { solver } from '#src/devnet/accounts.ts'
import { depository } from '#src/protocol/contracts/artifacts/depository.ts'
import { type Attack, type Day, inTurn } from '#test/bench/attackers/attack.ts'
import type { Trade } from '#test/bench/attackers/trade.ts'
import { ethereum, rollup } from '#test/bench/attackers/world.ts'

/** Signed payouts are public. The attacker sends them again, for itself, or leaves with a deposit that was filled. */
export const stolenPayouts: Day = {
  name: 'payouts of others, early exits',
  strategies: [
    { name: 'sends signed payouts again, and for itself', run: inTurn(sendAgain) },
    { name: 'exits before and after the fill', run: inTurn(leave) },
  ],
}

const patienceSeconds = 30

async function sendAgain(attack: Attack): Promise<void> {
  const { actor, deposit, quote, trading, world } = attack
  const trade = await quote([ethereum, 'ETH'], [rollup, 'ETH'], 10n ** 17n, {
    referrer: 'debug-force-refund',
  })
  if (trade === undefined) return
  const deposited = await deposit(trade)
  if (deposited === undefined) return
  await trading.ended(trade, patienceSeconds)
  const { depository: to } = world.contractsOn(ethereum)
  for (const data of await payoutsSince(attack, deposited.blockNumber)) {
    await actor.send(ethereum, { to, data })
    const own = actor.address.slice(2)
    const changed = [trade.refundTo, solver.address].reduce(
      (text, address) => text.replaceAll(address.slice(2), own),
      data.slice(2),
    )
    await actor.send(ethereum, { to, data: `0x${changed}` })
  }
}

/** Calldata of the solver's last two calls of the depository since this block. */
async function payoutsSince({ world }: Attack, since: bigint): Promise<readonly Hex[]> {
  const client = world.on(ethereum)
  const { depository: to } = world.contractsOn(ethereum)
  const payouts: Hex[] = []
  const head = await client.getBlockNumber()
  for (let blockNumber = since; blockNumber <= head; blockNumber += 1n) {
    const { transactions } = await client.getBlock({ blockNumber, includeTransactions: true })
    for (const each of transactions)
      if (each.from.toLowerCase() === solver.address && each.to?.toLowerCase() === to)
        payouts.push(each.input)
  }
  return payouts.slice(-2)
}

async function leave(attack: Attack): Promise<void> {
  const { deposit, quote, trading } = attack
  const trade = await quote([ethereum, 'ETH'], [rollup, 'ETH'], 10n ** 17n)
  if (trade === undefined) return
  const receipt = await deposit(trade)
  if (receipt === undefined) return
  await exit(attack, trade, receipt)
  await trading.ended(trade, patienceSeconds)
  await exit(attack, trade, receipt)
}

async function exit(
  { actor, world }: Attack,
  trade: Trade,
  { logs }: TransactionReceipt,
): Promise<void> {
  const { depository: to } = world.contractsOn(ethereum)
  const { abi } = depository
  const [made] = parseEventLogs({ abi, logs, eventName: 'RelayNativeDeposit' })
  const [recorded] = parseEventLogs({ abi, logs, eventName: 'DepositRecorded' })
  if (made === undefined || recorded === undefined)
    throw new Error(`Request ${trade.quoted.requestId} has no deposit`)
  const { id: orderId, from: depositor, amount } = made.args
  const { index } = recorded.args
  const record = { orderId, depositor, currency: nativeAddress, amount, index }
  const args = [record, actor.address] as const
  const data = encodeFunctionData({ abi, functionName: 'exit', args })
  await actor.send(ethereum, { to, data })
}
