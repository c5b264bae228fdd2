import { encodeFunctionData, type Hex, parseSignature } from 'viem'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { evmGas } from '#src/core/pricing/gas/gas.ts'
import { permitCurrency } from '#src/devnet/artifacts/permitCurrency.ts'
import { lastSecondOf } from '#src/protocol/permit.ts'
import { witnessHash } from '#src/protocol/permits/typedData.ts'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'
import { defaultFinalityBlocks } from '#test/support/chains/pace.ts'
import { payer, signPayment } from '#test/support/rigs/signedPayment.ts'
import {
  ethereum,
  patience,
  rollup,
  type SolverRig,
  startBridgingRig,
} from '#test/support/rigs/solverRig.ts'
import { useSolvers } from '#test/support/rigs/useSolvers.ts'

let rig: SolverRig
beforeAll(async () => {
  rig = await startBridgingRig(
    { depositConfirmations: 2 },
    { finalityBlocks: defaultFinalityBlocks },
  )
  rig.track()
  rig.solve(rollup)
})
afterAll(() => rig.stop())

const solve = useSolvers(() => rig)

const stateOf = async ({ requestId }: Pick<SolverRequest, 'requestId'>) =>
  (await rig.find(requestId)).state

const reaches = (request: SolverRequest, status: string) =>
  vi.waitUntil(async () => (await stateOf(request)).status === status, patience)

/** Waits until the solver has looked at the permit once more. */
async function looked({ requestId }: SolverRequest): Promise<void> {
  const versionOf = async () => (await rig.store.findPermit(requestId))?.version ?? 0
  const before = await versionOf()
  await vi.waitUntil(async () => (await versionOf()) > before, { ...patience, interval: 100 })
}

/** The market with a gas price of `percent` of the real one. */
const marketAt = (percent: bigint): SolverRig['market'] => ({
  ...rig.market,
  latest: (chainId) => {
    const market = rig.market.latest(chainId)
    if (market === undefined) return undefined
    const gas = evmGas(market.gas)
    return { ...market, gas: { ...gas, baseFeePerGas: (gas.baseFeePerGas * percent) / 100n } }
  },
})

it('sends the first deposit of a currency although gas costs a tenth more than in its quote', async () => {
  const { request } = await signPayment(rig)
  // Its estimate alone would cost more: a fifth of it is refunded.
  const { stop } = solve(ethereum, { market: marketAt(160n) })
  await looked(request)
  expect(await rig.store.transactionsOf(request.requestId)).toEqual([])
  await stop()
  // It is looked at again after 5 seconds.
  solve(ethereum, { market: marketAt(110n), now: () => Date.now() + 6_000 })
  expect((await rig.outcome(request.requestId)).state).toMatchObject({ status: 'success' })
})

it('a reorg that removes the deposit returns the request to depositing, and the transaction is sent again', async () => {
  const { request } = await signPayment(rig)
  expect(request.state).toMatchObject({ status: 'depositing', steps: [[{ status: 'signed' }]] })
  solve(ethereum)
  await vi.waitUntil(async () => (await stateOf(request)).inTxHashes.length > 0, patience)
  const [hash] = (await stateOf(request)).inTxHashes
  const anvil = rig.wallet.clientOn(ethereum)
  const { blockNumber } = await anvil.getTransactionReceipt({ hash: hash as Hex })
  await rig.reorg(ethereum, blockNumber)
  const { state } = await rig.outcome(request.requestId)
  expect(state).toMatchObject({ status: 'success', inTxHashes: [hash] })
  const deposits = await rig.store.depositsOf(request.requestId)
  expect(deposits.map(({ amount, status }) => [amount, status])).toEqual([
    [50_000_000n, expect.stringMatching(/filled|settl/)],
  ])
})

it('a cancelled signature ends the request once the cancellation is final', async () => {
  const { request, quoted } = await signPayment(rig)
  const { paying } = quoted
  if (paying.kind !== 'eip3009') throw new Error('The quote asks for another kind')
  const nonce = witnessHash(paying.run)
  const signature = await payer.signTypedData({
    domain: { ...paying.domain, chainId: ethereum, verifyingContract: paying.currency },
    types: {
      CancelAuthorization: [
        { name: 'authorizer', type: 'address' },
        { name: 'nonce', type: 'bytes32' },
      ],
    },
    primaryType: 'CancelAuthorization',
    message: { authorizer: payer.address, nonce },
  })
  const { r, s, yParity } = parseSignature(signature)
  const data = encodeFunctionData({
    abi: permitCurrency.abi,
    functionName: 'cancelAuthorization',
    args: [payer.address, nonce, 27 + yParity, r, s],
  })
  await rig.wallet.call(ethereum, { to: paying.currency, data })
  solve(ethereum)
  await looked(request)
  expect((await stateOf(request)).status).toBe('depositing')
  await rig.mineUntilFinal(ethereum)
  await reaches(request, 'failure')
  expect(await stateOf(request)).toMatchObject({ failReason: 'INVALID_NONCE', inTxHashes: [] })
})

it('unused signatures end their requests once their expiry is final, and not before', async () => {
  const included = await signPayment(rig)
  // A node that accepts transactions, and does not show them.
  const client = rig.clientOn(ethereum)
  const withheld: Hex[] = []
  const withholding = {
    ...client,
    ask: ((request: { method: string; params: readonly Hex[] }, ...rest: never[]) => {
      if (request.method !== 'eth_sendRawTransaction')
        return (client.ask as (...all: unknown[]) => unknown)(request, ...rest)
      withheld.push(...request.params)
      return Promise.resolve(null)
    }) as typeof client.ask,
  }
  const sending = solve(ethereum, { client: withholding })
  const progressOf = async () => (await stateOf(included.request)).steps[0]?.[0]
  await vi.waitUntil(async () => (await progressOf())?.status === 'sent', patience)
  await vi.waitUntil(() => withheld.length > 0, patience)
  await sending.stop()
  const never = await signPayment(rig)
  const end = lastSecondOf(never.quoted.paying)
  const aheadMs = (end + 1) * 1000 - Date.now()
  solve(ethereum, { client: withholding, now: () => Date.now() + aheadMs })
  await looked(never.request)
  for (const { request } of [included, never])
    expect((await stateOf(request)).status).toBe('depositing')
  const currency = rig.currencyOf([ethereum, 'USDC'])
  const held = await rig.balanceOf(currency, payer.address)
  await rig.mineAt(ethereum, BigInt(end + 1), rig.finalityBlocks + 3)
  for (const { request } of [included, never]) await reaches(request, 'failure')
  expect(await stateOf(included.request)).toMatchObject({
    failReason: 'TRANSACTION_NOT_INCLUDED',
    inTxHashes: [],
    steps: [[{ status: 'skipped' }]],
    fill: { status: 'skipped' },
  })
  expect(await stateOf(never.request)).toMatchObject({
    failReason: 'SIGNATURE_EXPIRED',
    inTxHashes: [],
    fill: { status: 'skipped' },
  })
  expect(await rig.store.transactionsOf(never.request.requestId)).toEqual([])
  // A copy of the transaction moves nothing now: its signature has expired.
  const [raw] = withheld
  const anvil = rig.wallet.clientOn(ethereum)
  const hash = await anvil.sendRawTransaction({ serializedTransaction: raw ?? '0x' })
  await rig.mine(ethereum, 1)
  expect((await anvil.getTransactionReceipt({ hash })).status).toBe('reverted')
  expect(await rig.balanceOf(currency, payer.address)).toBe(held)
  expect((await stateOf(included.request)).status).toBe('failure')
})
