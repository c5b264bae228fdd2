import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { readHeaderAt } from '#src/chains/read/readBlock.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { lastSecondOf } from '#src/protocol/permit.ts'
import { payer, signPayment } from '#test/support/rigs/signedPayment.ts'
import {
  ethereum,
  patience,
  rollup,
  type SolverRig,
  startBridgingRig,
} from '#test/support/rigs/solverRig.ts'
import { useSolvers } from '#test/support/rigs/useSolvers.ts'

/** Whether the nodes hide all logs from the trackers, also those in the bloom filters of the blocks. */
let hidesLogs = false
const hiding = (client: ChainClient): ChainClient => ({
  ...client,
  ask: (request, parse, signal) => {
    const isHidden = hidesLogs && request.method === 'eth_getLogs'
    return client.ask(request, (answer) => parse(isHidden ? [] : answer), signal)
  },
})

let rig: SolverRig
beforeAll(async () => {
  rig = await startBridgingRig()
  rig.track(rig.store, hiding)
  rig.solve(rollup)
})
afterEach(() => {
  hidesLogs = false
})
afterAll(() => rig.stop())

const solve = useSolvers(() => rig)

const statusOf = async (requestId: string) => (await rig.find(requestId)).state.status

/** Waits until the request has ended, while both chains continue. */
const ended = (requestId: string) =>
  vi.waitUntil(async () => {
    for (const chainId of [ethereum, rollup]) await rig.mine(chainId, 1)
    const status = await statusOf(requestId)
    return status !== 'depositing' && status !== 'pending' && status !== 'submitted' && status
  }, patience)

it('a deposit and a fill whose logs no node shows are found by their transactions', async () => {
  hidesLogs = true
  const { requestId } = (await signPayment(rig)).request
  solve(ethereum)
  expect(await ended(requestId)).toBe('success')
  const deposits = await rig.store.depositsOf(requestId)
  expect(deposits.map(({ amount }) => amount)).toEqual([50_000_000n])
})

it('a mined payment does not fail, although its signature expires before a node shows it', async () => {
  hidesLogs = true
  const { request, quoted } = await signPayment(rig)
  const { requestId } = request
  const end = lastSecondOf(quoted.paying)
  // A solver that cannot report its transaction to the tracker.
  const store = { ...rig.store, addHint: async () => undefined }
  const currency = rig.currencyOf([ethereum, 'USDC'])
  const held = await rig.balanceOf(currency, payer.address)
  const sending = solve(ethereum, { store })
  await vi.waitUntil(async () => (await rig.balanceOf(currency, payer.address)) < held, patience)
  await sending.stop()
  await rig.mineAt(ethereum, BigInt(end + 1), rig.finalityBlocks + 3)
  await vi.waitUntil(async () => {
    const cursor = await rig.store.cursor(ethereum)
    const block = cursor && (await readHeaderAt(rig.clientOn(ethereum), cursor.block.number))
    return block !== undefined && block.timestamp > end
  }, patience)
  const versionOf = async () => (await rig.store.findPermit(requestId))?.version
  const before = await versionOf()
  const aheadMs = (end + 1) * 1000 - Date.now()
  const looking = solve(ethereum, { store, now: () => Date.now() + aheadMs })
  await vi.waitUntil(async () => (await versionOf()) !== before, patience)
  expect(await statusOf(requestId)).toBe('depositing')
  await looking.stop()
  solve(ethereum)
  expect(await ended(requestId)).toBe('success')
})
