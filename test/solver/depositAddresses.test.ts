import { afterAll, beforeAll, expect, it } from 'vitest'
import { toAmount } from '#src/units/amount.ts'
import { newAccount } from '#test/support/chains/newAccount.ts'
import {
  ethereum,
  type Place,
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

const units = (whole: bigint, decimals: number): bigint => whole * 10n ** BigInt(decimals)

it.each<[string, Place, bigint]>([
  ['native', [ethereum, 'ETH'], units(1n, 17)],
  ['ERC-20', [ethereum, 'USDC'], units(100n, 6)],
])('%s: an exact payment is swept and filled, to the unit', async (_, from, amount) => {
  const [recipient, refundTo] = [newAccount(), newAccount()]
  const change = { amount: toAmount(amount), useDepositAddress: true, recipient, refundTo }
  const quoted = await rig.quote(from, [rollup, from[1]], change)
  const at = quoted.depositAddress ?? '0x'
  expect(quoted.steps.map(({ depositAddress }) => depositAddress)).toEqual([at])
  await rig.deposit(quoted)
  const { state } = await rig.outcome(quoted.requestId)
  expect(state.status).toBe('success')
  expect(await rig.balanceOf(rig.currencyOf([rollup, from[1]]), recipient)).toBe(quoted.amountOut)
  expect(await rig.balanceOf(rig.currencyOf(from), at)).toBe(0n)
  const [deposit] = await rig.store.depositsOf(quoted.requestId)
  expect(deposit).toMatchObject({ amount, depositor: quoted.user, txHash: state.inTxHashes[0] })
  const receipt = await rig
    .clientOn(ethereum)
    .getTransactionReceipt({ hash: state.inTxHashes[0] as never })
  console.log(_, receipt.gasUsed, quoted.summary?.relayerGas)
})
