import { encodeFunctionData } from 'viem'
import { depository } from '#src/protocol/contracts/artifacts/depository.ts'
import { newAddress } from '#test/bench/attackers/actor.ts'
import { type Attack, type Day, inTurn } from '#test/bench/attackers/attack.ts'
import type { Place } from '#test/bench/attackers/trade.ts'
import { ethereum, rollup, type World } from '#test/bench/attackers/world.ts'

/** Deposits that the depository does not pay to the solver: once they are filled, the depositor takes them back. */
export const unsettleable: Day = {
  name: 'deposits that cannot be settled',
  strategies: [
    { name: 'app fees of open addresses', run: inTurn(payOpenAddress) },
    { name: 'deposits above the outflow limit', run: exceedLimit },
  ],
  end: (world) => limitOutflow(world, 10n ** 12n),
}

const patienceSeconds = 60

const dai: Place = [ethereum, 'DAI']

async function payOpenAddress({ actor, addresses, exits, quote, trades, trading }: Attack) {
  const app = newAddress()
  addresses.add(app)
  const trade = await quote(dai, [rollup, 'DAI'], 500n * 10n ** 18n, {
    useDepositAddress: true,
    strict: false,
    appFees: [{ recipient: app, fee: '1' }],
  })
  if (trade === undefined) return
  trades.push(trade)
  if (exits.length === 0) exits.push(dai)
  await trading.payAddress(actor, trade)
  await trading.ended(trade, patienceSeconds)
}

/** The only deposits of this currency are those above its limit. */
const usdt: Place = [ethereum, 'USDT']

async function exceedLimit(attack: Attack, count: number): Promise<void> {
  const { deposit, exits, quote, trading, world } = attack
  await limitOutflow(world, 1_000n * 10n ** 6n)
  exits.push(usdt)
  // The depository pays one of them an hour. The actor has enough for a few.
  for (let at = 0; at < Math.max(2, Math.min(count, 5)); at += 1) {
    const trade = await quote(usdt, [rollup, 'USDT'], 1_500n * 10n ** 6n)
    if (trade === undefined) continue
    await deposit(trade)
    await trading.ended(trade, patienceSeconds)
  }
}

/** Sets how much of USDT the depository pays the solver in an hour. */
const limitOutflow = (world: World, amount: bigint): Promise<void> =>
  world.asOwner(
    ethereum,
    encodeFunctionData({
      abi: depository.abi,
      functionName: 'setOutflowLimits',
      args: [[{ currency: world.currencyOn(...usdt), amount }]],
    }),
  )
