import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { advance } from '#src/requests/state/advance.ts'
import type { ChainId } from '#src/units/chainId.ts'
import { newAccount } from '#test/support/chains/newAccount.ts'
import { inputOf } from '#test/support/fixtures/fillCase.ts'
import {
  ethereum,
  patience,
  rollup,
  type SolverRig,
  startBridgingRig,
} from '#test/support/rigs/solverRig.ts'

const amount = 10n ** 17n

let rig: SolverRig
beforeAll(async () => {
  rig = await startBridgingRig()
})
afterAll(() => rig.stop())

const hashOf = (digit: string) => `0x${digit.repeat(64)}` as const

/** A request that was paid for, as the store knows it, on chains of which one may be gone. */
async function paidRequest() {
  const recipient = newAccount()
  const request = await rig.quote([ethereum, 'ETH'], [rollup, 'ETH'], { amount, recipient })
  const { requestId, orderId, user } = request
  const { depositCurrency, depositAmount } = inputOf(request)
  const txHash = requestId
  const depositId = `${ethereum}:${txHash}:0`
  const block = { number: 1n, hash: hashOf('a') }
  const transaction = { chainId: ethereum, hash: txHash, block }
  const deposit = { input: 0, depositId, transaction }
  const seen = advance(request, { type: 'depositSeen', ...deposit }, Date.now())
  const credited = { type: 'depositCredited', ...deposit } as const
  const state = advance({ ...request, state: seen }, credited, Date.now())
  expect(state.status).toBe('pending')
  await rig.store.save({
    requests: [{ ...request, state }],
    deposits: [
      {
        ...{ depositId, chainId: ethereum, txHash, block, orderId, requestId, depositor: user },
        ...{ currency: depositCurrency, amount: depositAmount },
        ...{ timestamp: Math.floor(Date.now() / 1000), status: 'credited', version: 0 },
      },
    ],
  })
  return { requestId, recipient }
}

/** As trackers leave it, those of the chain that runs or of another one of its id. */
async function leaveCursor(chainId: ChainId, isOurs: boolean): Promise<void> {
  const { hash } = await rig.wallet.clientOn(chainId).getBlock({ blockNumber: 0n })
  const block = { number: 0n, hash }
  await rig.store.save({ cursor: { chainId, genesis: isOurs ? hash : hashOf('b'), block } })
}

it('nothing is paid by what is left of an earlier chain, until trackers have forgotten it', async () => {
  const left = [await paidRequest()]
  let looks = 0
  /** Counts the looks that end without anything to do: each asks for a cursor. */
  const store: RequestStore = {
    ...rig.store,
    cursor: (chainId) => {
      looks += 1
      return rig.store.cursor(chainId)
    },
  }
  const solver = rig.solve(rollup, { store })
  const looksMore = async () => {
    const before = looks
    await vi.waitUntil(() => looks > before + 3, patience)
  }
  await looksMore()
  await leaveCursor(rollup, false)
  await looksMore()
  expect(solver.status().block).toBeUndefined()

  await leaveCursor(rollup, true)
  await leaveCursor(ethereum, false)
  await looksMore()
  expect(solver.status().block).toBeDefined()
  left.push(await paidRequest())
  await looksMore()
  for (const { requestId, recipient } of left) {
    expect((await rig.find(requestId)).state.status).toBe('pending')
    expect(await rig.store.transactionsOf(requestId)).toEqual([])
    expect(await rig.wallet.clientOn(rollup).getBalance({ address: recipient })).toBe(0n)
  }

  rig.track()
  for (const { requestId } of left)
    expect((await rig.outcome(requestId)).state).toMatchObject({
      status: 'failure',
      failReason: 'UNKNOWN',
    })
  const recipient = newAccount()
  const request = await rig.quote([ethereum, 'ETH'], [rollup, 'ETH'], { amount, recipient })
  await rig.deposit(request)
  expect((await rig.outcome(request.requestId)).state.status).toBe('success')
})
