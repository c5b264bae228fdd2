import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { followFrom } from '#src/cli/reconcile/reconcile.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'
import { openRequestStore } from '#src/requests/store/openRequestStore.ts'
import { acceptNonces } from '#test/support/rigs/acceptNonces.ts'
import {
  ethereum,
  patience,
  rollup,
  type SolverRig,
  startBridgingRig,
} from '#test/support/rigs/solverRig.ts'
import { useSolvers } from '#test/support/rigs/useSolvers.ts'
import { makeStoreDirectory } from '#test/support/store/storeDirectory.ts'
import { newAccount } from '#test/support/wallets/newAccount.ts'

let rig: SolverRig
let lost: RequestStore
let directory: string
beforeAll(async () => {
  rig = await startBridgingRig()
  rig.track()
  directory = await makeStoreDirectory()
})
afterAll(async () => {
  await rig.stop()
  await lost?.close()
  rmSync(directory, { recursive: true })
})
const solve = useSolvers(() => rig)

const quoteOf = (referrer?: string): Promise<SolverRequest> =>
  rig.quote([ethereum, 'ETH'], [rollup, 'ETH'], {
    amount: 10n ** 17n,
    recipient: newAccount(),
    refundTo: newAccount(),
    disableOriginSwaps: true,
    ...(referrer !== undefined && { referrer }),
  })

const ether = (chainId: typeof ethereum) => rig.currencyOf([chainId, 'ETH'])

async function depositOf(request: SolverRequest): Promise<Deposit> {
  const [deposit] = await rig.store.depositsOf(request.requestId)
  if (deposit === undefined) throw new Error('There is no deposit')
  return deposit
}

it('with an empty database, fills no order again and refunds each deposit once', async () => {
  const solvers = [solve(ethereum), solve(rollup)]
  const settled = await quoteOf()
  const refunded = await quoteOf('debug-force-refund')
  for (const each of [settled, refunded]) await rig.deposit(each)
  expect((await rig.outcome(settled.requestId)).state.status).toBe('success')
  expect((await rig.outcome(refunded.requestId)).state.status).toBe('refund')
  await rig.passSettlement(ethereum)
  await vi.waitUntil(async () => (await depositOf(settled)).status === 'settled', patience)
  const filled = await quoteOf()
  await rig.deposit(filled)
  expect((await rig.outcome(filled.requestId)).state.status).toBe('success')
  await Promise.all(solvers.map(({ stop }) => stop()))
  const unfilled = await quoteOf()
  await rig.deposit(unfilled)
  const all = [settled, refunded, filled, unfilled]
  const deposits: Deposit[] = []
  for (const each of all) {
    await vi.waitUntil(
      async () => (await rig.store.depositsOf(each.requestId)).length > 0,
      patience,
    )
    deposits.push(await depositOf(each))
  }
  const held = () => rig.balanceOf(ether(ethereum), rig.contractsOn(ethereum).depository)
  const paid = () =>
    Promise.all(
      all.flatMap(({ recipient, refundTo }) => [
        rig.balanceOf(ether(rollup), recipient),
        rig.balanceOf(ether(ethereum), refundTo),
      ]),
    )
  const paidBefore = await paid()
  expect(await held()).toBe(2n * 10n ** 17n)

  lost = await openRequestStore({ log: rig.log, bus: rig.bus }, { directory })
  for (const chainId of [ethereum, rollup]) {
    const client = rig.clientOn(chainId)
    await rig.mineUntilFinal(chainId)
    await followFrom({ client, store: lost }, rig.chainOf(chainId), 1n)
    await acceptNonces(rig, lost, chainId)
  }
  rig.track(lost)
  for (const chainId of [ethereum, rollup]) solve(chainId, { store: lost })
  for (const chainId of [ethereum, rollup]) await rig.mineUntilFinal(chainId)
  const statuses = async () => {
    const found = await lost.findDeposits(deposits.map(({ depositId }) => depositId))
    return new Map(found.map(({ depositId, status }) => [depositId, status]))
  }
  /** Waits until all deposits have one of these statuses. */
  const reach = (expected: RegExp) =>
    vi.waitUntil(async () => {
      const reached = [...(await statuses()).values()]
      return reached.length === all.length && reached.every((each) => expected.test(each))
    }, patience)
  await reach(/^(filled|refunding|refunded|settling|settled)$/)
  await rig.passSettlement(ethereum)
  await reach(/^(refunded|settled)$/)
  const ends = await statuses()
  expect(deposits.map(({ depositId }) => ends.get(depositId))).toEqual([
    ...['settled', 'refunded'],
    ...['settled', 'refunded'],
  ])
  expect(await held()).toBe(0n)
  // The refund of an unknown order goes to its depositor.
  expect(await paid()).toEqual(paidBefore)
})

it('only a new database starts at an earlier block, which must be final', async () => {
  const deps = { client: rig.clientOn(ethereum), store: lost }
  await expect(followFrom(deps, rig.chainOf(ethereum), 1n)).rejects.toThrow(
    /cannot be followed from block 1: this database has followed it to block \d+/,
  )
  const store = { ...lost, cursor: async () => undefined }
  await expect(followFrom({ ...deps, store }, rig.chainOf(ethereum), 10n ** 9n)).rejects.toThrow(
    /block 1000000000: the newest final block is \d+/,
  )
})
