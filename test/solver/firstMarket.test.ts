import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { Log } from '#src/config/log.ts'
import { AppError, type ErrorCode } from '#src/core/errors.ts'
import { createAnvilClient } from '#src/devnet/chain/anvilProcess.ts'
import { sequencerFeedAddress, setSequencer } from '#test/support/chains/sequencerFeed.ts'
import { urlOf } from '#test/support/nodes/urlOf.ts'
import {
  ethereum,
  patience,
  rollup,
  type SolverRig,
  startBridgingRig,
} from '#test/support/rigs/solverRig.ts'
import { useSolvers } from '#test/support/rigs/useSolvers.ts'
import { newAccount } from '#test/support/wallets/newAccount.ts'

const up = { answer: 0n, startedAt: 1n }

let rig: SolverRig
beforeAll(async () => {
  rig = await startBridgingRig(async ({ id, rpcUrls: [rpcUrl] = [] }) => {
    if (id !== ethereum) return { blockSeconds: 0.5 }
    await setSequencer(createAnvilClient(urlOf(rpcUrl)), up)
    return { blockSeconds: 0.5, sequencerFeed: { address: sequencerFeedAddress } }
  })
  rig.track()
})
afterAll(() => rig.stop())
const solve = useSolvers(() => rig)

it('waits for its first market without a warning, and warns of a stale market', async () => {
  const warnings: string[] = []
  const notes: string[] = []
  const log: Log = {
    ...rig.log,
    debug: (_: unknown, message = '') => {
      if (message.includes('first market')) notes.push(message)
    },
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
    exposedDeposits: (...args) => {
      rounds += 1
      return rig.store.exposedDeposits(...args)
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

it('fills no deposit of a chain whose sequencer is down, until its prices are trusted again', async () => {
  const anvil = rig.wallet.clientOn(ethereum)
  const recipient = newAccount()
  const order = { amount: 10n ** 17n, recipient, disableOriginSwaps: true }
  const quoted = await rig.quote([ethereum, 'ETH'], [rollup, 'ETH'], order)
  const statusIs = (status: string) =>
    vi.waitUntil(() => rig.market.latest(ethereum)?.sequencer?.status === status, patience)
  await setSequencer(anvil, { answer: 1n, startedAt: 1n })
  await rig.mine(ethereum, 1)
  await statusIs('down')
  await rig.deposit(quoted)
  const waits: unknown[] = []
  const log: Log = {
    ...rig.log,
    debug: (facts: unknown, message = '') => {
      if (message === 'A request waits for the market of its origin chains') waits.push(facts)
    },
  }
  solve(rollup, { log })
  await vi.waitUntil(() => waits.length > 3, patience)
  expect(waits[0]).toMatchObject({ requestId: quoted.requestId, code: 'SERVICE_UNAVAILABLE' })

  // It is back since a moment ago.
  const { timestamp } = await anvil.getBlock()
  await setSequencer(anvil, { answer: 0n, startedAt: timestamp })
  await rig.mine(ethereum, 1)
  await statusIs('recovering')
  const before = waits.length
  await vi.waitUntil(() => waits.length > before + 3, patience)
  const received = () => rig.balanceOf(rig.currencyOf([rollup, 'ETH']), recipient)
  expect(await received()).toBe(0n)

  await setSequencer(anvil, up)
  await rig.mine(ethereum, 1)
  expect((await rig.outcome(quoted.requestId)).state.status).toBe('success')
  expect(await received()).toBeGreaterThan(0n)
})
