import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { gasPriceOf } from '#src/core/pricing/gas/gas.ts'
import type { Order } from '#src/core/pricing/order.ts'
import type { Address } from '#src/core/units/address.ts'
import { toBps } from '#src/core/units/bps.ts'
import { depository } from '#src/protocol/contracts/artifacts/depository.ts'
import { recordIdIn } from '#src/requests/state/deposit.ts'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'
import {
  ethereum,
  patience,
  rollup,
  type SolverRig,
  startBridgingRig,
} from '#test/support/rigs/solverRig.ts'
import { newAccount } from '#test/support/wallets/newAccount.ts'

let rig: SolverRig
beforeAll(async () => {
  rig = await startBridgingRig()
  rig.track()
  rig.solve(ethereum)
  rig.solve(rollup)
})
afterAll(() => rig.stop())

/** JUMPDEST PUSH0 JUMP: loops until the gas is used up. */
const burnsGas = '0x5b5f56'

/** Wei that the solver keeps for a request, without its app fees: for its fill, its settlement and its service. */
function keptOf({ order, inputs: [input], fill }: SolverRequest): bigint {
  const fees = order.fees.reduce((sum, { amount }) => sum + amount, 0n)
  return (input?.depositAmount ?? 0n) - fees - fill.payoutAmount
}

/** Quotes without app fees and with these recipients on one market, and what a unit of gas costs there. */
const quoteBoth = (recipients: readonly Address[]) =>
  rig.suspendMining(ethereum, () =>
    rig.suspendMining(rollup, async () => {
      const quote = (appFees: Order['appFees']) => {
        const order = { amount: 10n ** 17n, disableOriginSwaps: true, appFees }
        return rig.quote([ethereum, 'ETH'], [rollup, 'ETH'], order)
      }
      const plain = await quote([])
      const hostile = await quote(recipients.map((recipient) => ({ recipient, fee: toBps(1n) })))
      const market = rig.market.latest(ethereum)
      if (market === undefined) throw new Error('The chain has no market')
      return { plain, hostile, gasPrice: gasPriceOf(market.gas) }
    }),
  )

/** The gas that the settlement of a request's deposit uses. */
async function settle(quoted: SolverRequest): Promise<bigint> {
  await rig.deposit(quoted)
  await rig.outcome(quoted.requestId)
  await rig.passSettlement(ethereum)
  const settled = await vi.waitUntil(async () => {
    const [deposit] = await rig.store.depositsOf(quoted.requestId)
    return deposit?.status === 'settled' ? deposit : undefined
  }, patience)
  const client = rig.wallet.clientOn(ethereum)
  const [event] = await client.getContractEvents({
    address: rig.contractsOn(ethereum).depository,
    abi: depository.abi,
    eventName: 'DepositSettled',
    args: { depositId: recordIdIn(settled) },
    fromBlock: 0n,
  })
  if (event === undefined) throw new Error('The deposit was not settled')
  return (await client.getTransactionReceipt({ hash: event.transactionHash })).gasUsed
}

it.each([1, 16])('a deposit pays the gas of %i app fee recipients that burn gas', async (count) => {
  const burners = Array.from({ length: count }, () => newAccount())
  const { plain, hostile, gasPrice } = await quoteBoth(burners)
  // A quote rejects recipients that burn gas, so the code is set after it.
  for (const address of burners)
    await rig.wallet.clientOn(ethereum).setCode({ address, bytecode: burnsGas })
  const unburdened = await settle(plain)
  const gas = (await settle(hostile)) - unburdened
  const lost = gas * gasPrice - (keptOf(hostile) - keptOf(plain))
  expect(lost, `the solver lost ${lost} wei by ${gas} gas`).toBeLessThanOrEqual(0n)
  const [deposit] = await rig.store.depositsOf(hostile.requestId)
  expect(deposit?.unpaid).toEqual(
    hostile.order.fees.map(({ recipient, amount }) => ({ recipient, amount })),
  )
})
