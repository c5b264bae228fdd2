import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import { noHistory } from '#src/market/marketHistory.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { isTerminal } from '#src/requests/state/requestState.ts'
import { openRequestStore } from '#src/requests/store/openRequestStore.ts'
import { createRequote } from '#src/service/quote/requote.ts'
import { acceptNonces } from '#test/support/rigs/acceptNonces.ts'
import { type AddressPayments, createAddressPayments } from '#test/support/rigs/addressPayments.ts'
import {
  ethereum,
  type Place,
  patience,
  rollup,
  type SolverRig,
  startBridgingRig,
} from '#test/support/rigs/solverRig.ts'
import { useSolvers } from '#test/support/rigs/useSolvers.ts'
import { makeStoreDirectory } from '#test/support/store/storeDirectory.ts'

let rig: SolverRig
let pays: AddressPayments
const undo: (() => Promise<unknown> | unknown)[] = []
beforeAll(async () => {
  rig = await startBridgingRig()
  pays = createAddressPayments(rig)
  rig.track()
})
afterAll(async () => {
  await rig.stop()
  for (const each of undo) await each()
})
const solve = useSolvers(() => rig)

const usdc: Place = [ethereum, 'USDC']
const hundred = 100_000_000n
type Quoted = Awaited<ReturnType<AddressPayments['quote']>>

/** A database as a backup of this moment has it: the requests of the addresses, and how far the chains were read. */
async function backUp(addresses: readonly Quoted[]): Promise<RequestStore> {
  const directory = await makeStoreDirectory()
  const store = await openRequestStore({ log: rig.log, bus: rig.bus }, { directory })
  undo.push(
    () => store.close(),
    () => rmSync(directory, { recursive: true }),
  )
  for (const { requestId } of addresses) {
    const { state: _, version: __, ...quoted } = await rig.find(requestId)
    await store.put(quoted)
  }
  for (const { id } of rig.config.chains) {
    await vi.waitUntil(() => rig.store.cursor(id), patience)
    const cursor = await rig.store.cursor(id)
    if (cursor !== undefined) await store.save({ cursor })
  }
  return store
}

it('pays each payment to an open address once after the database has lost them', async () => {
  const names = ['filled', 'filledAndUnpriced', 'unfilled'] as const
  const [filled, unpriced, unfilled] = (await Promise.all(
    names.map(() => pays.quote(usdc, hundred, { isOpen: true })),
  )) as [Quoted, Quoted, Quoted]
  const all = [filled, unpriced, unfilled]
  const backup = await backUp(all)

  const payers = [solve(ethereum), solve(rollup)]
  const bound = []
  for (const [at, quoted] of all.entries()) {
    if (quoted === unfilled) await payers[1]?.stop()
    await pays.pay(usdc, quoted.address, hundred + BigInt(at))
    const [payment] = await pays.payments(quoted, 1)
    if (payment === undefined) throw new Error('No payment')
    bound.push(payment)
    if (quoted !== unfilled)
      expect((await rig.outcome(payment.requestId)).state.status).toBe('success')
  }
  await payers[0]?.stop()
  const paid = await Promise.all(all.map(pays.paidOut))
  expect(paid.map((amount) => amount > 0n)).toEqual([true, true, false])

  // From here on the backup is the database. What the account has sent is unknown, until an operator accepts it.
  rig.track(backup)
  const requote = createRequote({ ...rig, history: noHistory })
  const restored = [
    solve(ethereum, {
      store: backup,
      requote: async (parent, payment, at) => {
        if (parent.requestId === unpriced.requestId)
          throw new AppError('SWAP_IMPACT_TOO_HIGH', 'The pool was moved.')
        return requote(parent, payment, at)
      },
    }),
    solve(rollup, { store: backup }),
  ]
  for (const [at, chainId] of [ethereum, rollup].entries()) {
    await vi.waitUntil(() => (restored[at]?.status().unknownNonces ?? 0) > 0, patience)
    await acceptNonces(rig, backup, chainId)
  }
  await pays.passTopUp()
  for (const chainId of [ethereum, rollup]) await rig.mineUntilFinal(chainId)

  /** Trackers read what others have stored every ten seconds of their clock. */
  const ended = (requestId: string) =>
    vi.waitFor(async () => {
      const { timestamp } = await rig.wallet.clientOn(rollup).getBlock()
      await rig.mineAt(rollup, timestamp + 1n, 1)
      const request = await backup.find(requestId)
      if (request === undefined || !isTerminal(request.state.status)) throw new Error('Not yet')
      return request
    }, patience)
  const again = []
  for (const { requestId } of bound) again.push(await ended(requestId))
  expect(again.map(({ state }) => state.status)).toEqual(['success', 'success', 'success'])
  // A filled payment is neither paid twice nor refunded.
  const now = await Promise.all(all.map(pays.paidOut))
  expect(now.slice(0, 2)).toEqual(paid.slice(0, 2))
  expect(now[2]).toBe(again[2]?.amountOut)
  expect(await Promise.all(all.map((quoted) => pays.refunded(quoted, usdc)))).toEqual([0n, 0n, 0n])
})
