import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { AppError, type ErrorCode } from '#src/errors.ts'
import type { Log } from '#src/log.ts'
import { newAccount } from '#test/support/chains/newAccount.ts'
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
  rig = await startBridgingRig()
  rig.track()
})
afterAll(() => rig.stop())
const solve = useSolvers(() => rig)

it('waits for its first market without a warning, and warns of one that went stale', async () => {
  const warnings: string[] = []
  const notes: string[] = []
  const log: Log = {
    ...rig.log,
    info: (_: unknown, message = '') => void notes.push(message),
    warn: (_: unknown, message = '') => void warnings.push(message),
    error: (_: unknown, message = '') => void warnings.push(message),
  }
  let problem: ErrorCode | undefined = 'SERVICE_UNAVAILABLE'
  let rounds = 0
  const market: SolverRig['market'] = {
    ...rig.market,
    latest: (chainId) =>
      problem === 'SERVICE_UNAVAILABLE' ? undefined : rig.market.latest(chainId),
    snapshot: (chainIds) => {
      if (problem !== undefined) throw new AppError(problem, 'There is no market')
      return rig.market.snapshot(chainIds)
    },
  }
  const store: SolverRig['store'] = {
    ...rig.store,
    exposureUsd: (chainId) => {
      rounds += 1
      return rig.store.exposureUsd(chainId)
    },
  }
  const roundsPass = async () => {
    const before = rounds
    await vi.waitUntil(() => rounds > before + 3, patience)
  }
  const order = { amount: 10n ** 17n, recipient: newAccount(), disableOriginSwaps: true }
  const quoted = await rig.quote([ethereum, 'ETH'], [rollup, 'ETH'], order)
  await rig.deposit(quoted)
  await vi.waitUntil(
    async () => (await rig.find(quoted.requestId)).state.status === 'pending',
    patience,
  )
  const solver = solve(rollup, { market, store, log })
  await roundsPass()
  expect(warnings).toEqual([])
  expect(notes).toEqual(['The solver waits for the first market of its chain'])
  expect(solver.status()).toMatchObject({ block: undefined, failures: 0 })

  problem = undefined
  expect((await rig.outcome(quoted.requestId)).state.status).toBe('success')
  await vi.waitUntil(() => solver.status().block !== undefined, patience)
  expect(warnings).toEqual([])
  problem = 'STALE_MARKET'
  await vi.waitUntil(() => warnings.includes('Work of the solver waits; will retry'), patience)
})
