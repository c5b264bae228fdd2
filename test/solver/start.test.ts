import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { evmAddress } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { advance } from '#src/requests/machine.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { inputOf } from '#test/support/orders/fillCase.ts'
import {
  ethereum,
  patience,
  rollup,
  type SolverRig,
  startBridgingRig,
} from '#test/support/rigs/solverRig.ts'
import { newAccount } from '#test/support/wallets/newAccount.ts'

const amount = 10n ** 17n

let rig: SolverRig
beforeAll(async () => {
  rig = await startBridgingRig({ blockSeconds: 0.5 })
})
afterAll(() => rig.stop())

const hashOf = (digit: string) => `0x${digit.repeat(64)}` as const

/** Stores a request whose deposit is credited in the database but does not exist on the chain. */
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
        depositId,
        chainId: ethereum,
        txHash,
        block,
        orderId,
        requestId,
        depositor: evmAddress(user),
        currency: evmAddress(depositCurrency),
        amount: depositAmount,
        timestamp: Math.floor(Date.now() / 1000),
        status: 'credited',
        version: 0,
      },
    ],
  })
  return { requestId, recipient }
}

/** Saves a tracker cursor: with the running chain's genesis hash, or with another genesis hash for the same chain id. */
async function leaveCursor(chainId: ChainId, isOurs: boolean): Promise<void> {
  const { hash } = await rig.wallet.clientOn(chainId).getBlock({ blockNumber: 0n })
  const genesis = isOurs ? hash : hashOf('b')
  await rig.store.save({ cursor: { chainId, genesis, block: { number: 0n, hash: genesis } } })
}

it('pays nothing for requests of a previous devnet until trackers have deleted them', async () => {
  const stale = [await paidRequest()]
  let rounds = 0
  /** Counts the solver's idle rounds: each one reads a cursor. */
  const store: RequestStore = {
    ...rig.store,
    cursor: (chainId) => {
      rounds += 1
      return rig.store.cursor(chainId)
    },
  }
  const solver = rig.solve(rollup, { store })
  const roundsPass = async () => {
    const before = rounds
    await vi.waitUntil(() => rounds > before + 3, patience)
  }
  await roundsPass()
  await leaveCursor(rollup, false)
  await roundsPass()
  expect(solver.status().block).toBeUndefined()

  await leaveCursor(rollup, true)
  await leaveCursor(ethereum, false)
  await roundsPass()
  expect(solver.status().block).toBeDefined()
  stale.push(await paidRequest())
  await roundsPass()
  for (const { requestId, recipient } of stale) {
    expect((await rig.find(requestId)).state.status).toBe('pending')
    expect(await rig.store.transactionsOf(requestId)).toEqual([])
    expect(await rig.wallet.clientOn(rollup).getBalance({ address: recipient })).toBe(0n)
  }

  rig.track()
  for (const { requestId } of stale)
    expect((await rig.outcome(requestId)).state).toMatchObject({
      status: 'failure',
      failReason: 'UNKNOWN',
    })
  const recipient = newAccount()
  const request = await rig.quote([ethereum, 'ETH'], [rollup, 'ETH'], { amount, recipient })
  await rig.deposit(request)
  expect((await rig.outcome(request.requestId)).state.status).toBe('success')
})
