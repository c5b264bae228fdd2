import { parseEventLogs } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { toAmount } from '#src/core/units/amount.ts'
import { evmHash } from '#src/core/units/txId.ts'
import { usdValueDown } from '#src/core/units/usd.ts'
import { depository as depositoryArtifact } from '#src/protocol/contracts/artifacts/depository.ts'
import { defaultFinalityBlocks } from '#test/support/chains/pace.ts'
import { signPayment } from '#test/support/rigs/signedPayment.ts'
import { ethereum, rollup, type SolverRig, startBridgingRig } from '#test/support/rigs/solverRig.ts'

let rig: SolverRig
beforeAll(async () => {
  rig = await startBridgingRig({}, { finalityBlocks: defaultFinalityBlocks })
  rig.track()
  rig.solve(ethereum)
  rig.solve(rollup)
})
afterAll(() => rig.stop())

it('a refund of a signed payment bears the gas of its transaction too', async () => {
  const { request } = await signPayment(rig, { referrer: 'debug-force-refund' })
  const { state } = await rig.outcome(request.requestId)
  expect(state.status).toBe('refund')
  const client = rig.clientOn(ethereum)
  const [paid, back] = await Promise.all(
    [state.inTxHashes[0], state.txHashes[0]].map((hash = '0x') =>
      client.getTransactionReceipt({ hash: evmHash(hash) }),
    ),
  )
  if (paid === undefined || back === undefined) throw new Error('No receipts')
  const { abi } = depositoryArtifact
  const [refund] = parseEventLogs({ abi, logs: back.logs, eventName: 'DepositRefunded' })
  const market = rig.market.latest(ethereum)
  const native = market?.chain.native
  const price = native && market?.usdPrices.get(native.address)
  if (native === undefined || price === undefined) throw new Error('No price')
  const usdOf = ({ gasUsed, effectiveGasPrice }: typeof paid) =>
    usdValueDown(toAmount(gasUsed * effectiveGasPrice), native.decimals, price)
  expect(usdOf(paid)).toBeGreaterThan(1_000_000n)
  // The depository keeps the cost for the solver. A unit of USDC is a millionth of a US dollar.
  expect(
    refund?.args.cost,
    `the solver paid $${Number(usdOf(paid)) / 1e6} for the signed transaction, and nobody paid it back`,
  ).toBeGreaterThanOrEqual(usdOf(paid) + (usdOf(back) * 9n) / 10n)
})
