import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { depository } from '#src/contracts/artifacts/depository.ts'
import { gasPriceOf } from '#src/pricing/gas/gas.ts'
import { recordIdIn } from '#src/requests/state/deposit.ts'
import type { Address } from '#src/units/address.ts'
import { toBps } from '#src/units/bps.ts'
import { newAccount } from '#test/support/chains/newAccount.ts'
import {
  ethereum,
  patience,
  rollup,
  type SolverRig,
  startBridgingRig,
} from '#test/support/rigs/solverRig.ts'

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

/**
 * Wei that the solver kept for a request besides its app fees, the gas of its settlement, and the wei that a unit of gas
 * cost at its quote.
 */
async function settleWith(recipients: readonly Address[]) {
  const appFees = recipients.map((recipient) => ({ recipient, fee: toBps(1n) }))
  const order = { amount: 10n ** 17n, disableOriginSwaps: true, appFees }
  const market = rig.market.latest(ethereum)
  if (market === undefined) throw new Error('The chain has no market')
  const quoted = await rig.quote([ethereum, 'ETH'], [rollup, 'ETH'], order)
  await rig.deposit(quoted)
  await rig.outcome(quoted.requestId)
  // A small batch of deposits settles after 60 blocks.
  await rig.mine(ethereum, 61)
  const settled = await vi.waitUntil(async () => {
    const [deposit] = await rig.store.depositsOf(quoted.requestId)
    return deposit?.status === 'settled' ? deposit : undefined
  }, patience)
  const client = rig.wallet.clientOn(ethereum)
  const [event] = await client.getContractEvents({
    ...{ address: rig.contractsOn(ethereum).depository, abi: depository.abi },
    ...{ eventName: 'DepositSettled', args: { depositId: recordIdIn(settled) }, fromBlock: 0n },
  })
  if (event === undefined) throw new Error('The deposit was not settled')
  const hash = event.transactionHash
  const { gasUsed } = await client.getTransactionReceipt({ hash })
  const fees = quoted.order.fees.reduce((sum, { amount }) => sum + amount, 0n)
  const [input] = quoted.inputs
  return {
    kept: (input?.depositAmount ?? 0n) - fees - quoted.fill.payoutAmount,
    ...{ gasUsed, gasPrice: gasPriceOf(market.gas) },
  }
}

it.each([1, 16])(
  '%i app fee recipients that burn gas are paid for by their deposit',
  async (count) => {
    const plain = await settleWith([])
    const burners = Array.from({ length: count }, () => newAccount())
    for (const address of burners)
      await rig.wallet.clientOn(ethereum).setCode({ address, bytecode: burnsGas })
    const hostile = await settleWith(burners)
    const gas = hostile.gasUsed - plain.gasUsed
    // The base fee of two quotes differs by a few percent: for the fills on the rollup that is next to nothing.
    const lost = gas * hostile.gasPrice - (hostile.kept - plain.kept)
    expect(lost, `the solver lost ${lost} wei by ${gas} gas`).toBeLessThanOrEqual(0n)
  },
)
