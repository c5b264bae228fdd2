import { numberToHex, RpcRequestError } from 'viem'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { Log } from '#src/config/log.ts'
import { type Address, evmAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { toBps } from '#src/core/units/bps.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'
import { createDepositoryOwner } from '#test/support/rigs/depositoryOwner.ts'
import {
  ethereum,
  type Place,
  patience,
  rollup,
  type SolverRig,
  startBridgingRig,
} from '#test/support/rigs/solverRig.ts'
import { useSolvers } from '#test/support/rigs/useSolvers.ts'
import { newAccount } from '#test/support/wallets/newAccount.ts'

let rig: SolverRig
let owner: ReturnType<typeof createDepositoryOwner>
let usdc: Address
beforeAll(async () => {
  rig = await startBridgingRig()
  owner = createDepositoryOwner(rig)
  usdc = evmAddress(rig.currencyOf([ethereum, 'USDC']).address)
  rig.track()
})
afterAll(() => rig.stop())
const solve = useSolvers(() => rig)
afterEach(() => owner.limit(usdc, million))

const units = (whole: bigint): bigint => whole * 1_000_000n
const million = units(1_000_000n)
const places: readonly [Place, Place] = [
  [ethereum, 'USDC'],
  [rollup, 'USDC'],
]

const quote = (amount: bigint, change = {}) =>
  rig.quote(...places, { amount, recipient: newAccount(), disableOriginSwaps: true, ...change })

const depositsOf = async (requests: readonly SolverRequest[]) =>
  rig.store.depositsOfAll(requests.map(({ requestId }) => requestId))

const areAll = (requests: readonly SolverRequest[], status: string) =>
  vi.waitFor(async () => {
    const deposits = await depositsOf(requests)
    expect(deposits.map((each) => each.status)).toEqual(requests.map(() => status))
  }, patience)

it.each<[string, bigint]>([
  ['above the outflow limit', 250n],
  ['of a currency without a limit', 0n],
])(
  'refunds a deposit %s, and quotes no other (260 filled, and lost to an exit)',
  async (_, limit) => {
    const quoted = await quote(units(260n))
    await owner.limit(usdc, units(limit))
    solve(ethereum)
    solve(rollup)
    await rig.deposit(quoted)
    const { state } = await rig.outcome(quoted.requestId)
    expect([state.status, state.failReason]).toEqual(['refund', 'SOLVER_CAPACITY_EXCEEDED'])
    await expect(quote(units(260n))).rejects.toMatchObject({ code: 'SOLVER_CAPACITY_EXCEEDED' })
    await owner.limit(usdc, million)
  },
)

it('refunds what unsettled deposits leave no room for (all filled, more than a week to settle)', async () => {
  const requests = [await quote(units(30n)), await quote(units(40n))]
  await owner.limit(usdc, units(40n))
  solve(ethereum)
  const room = units(40n)
  const unsettledAmounts: RequestStore['unsettledAmounts'] = async (chainId) => {
    const found = await rig.store.unsettledAmounts(chainId)
    return new Map([[usdc, toAmount((found.get(usdc) ?? 0n) + 24n * units(40n) - room)]])
  }
  solve(rollup, { store: { ...rig.store, unsettledAmounts } })
  for (const each of requests) await rig.deposit(each)
  const states = await Promise.all(requests.map(({ requestId }) => rig.outcome(requestId)))
  expect(states.map(({ state }) => state.status).toSorted()).toEqual(['refund', 'success'])
})

it('waits with fills while the depository is paused, and then goes on (filled into a pause)', async () => {
  const quoted = await quote(units(100n))
  await owner.guard('pause')
  await expect(quote(units(100n))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  await rig.deposit(quoted)
  let waits = 0
  const log: Log = {
    ...rig.log,
    debug: (_: unknown, message = '') => {
      if (message === 'A fill waits until it can be settled') waits += 1
    },
  }
  solve(rollup, { log })
  await vi.waitUntil(() => waits > 3, patience)
  expect(await rig.store.transactionsOf(quoted.requestId)).toEqual([])
  expect((await rig.find(quoted.requestId)).state.status).toBe('pending')
  await owner.guard('unpause')
  expect((await rig.outcome(quoted.requestId)).state.status).toBe('success')
})

/** The client of a chain on which every call with one of these texts in its calldata fails in the simulation. */
const refusing = (texts: readonly string[]): ChainClient => {
  const client = rig.clientOn(ethereum)
  const ask: ChainClient['ask'] = (request, ...rest) => {
    const [call] = request.params as readonly [{ data?: string }?]
    const isBad = texts.some((text) => call?.data?.includes(text.slice(2).toLowerCase()))
    if (request.method !== 'eth_estimateGas' || !isBad) return client.ask(request, ...rest)
    const error = { code: 3, message: 'execution reverted' }
    return Promise.reject(new RpcRequestError({ body: {}, error, url: numberToHex(0) }))
  }
  return { ...client, ask }
}

/** The solver of the first chain with the errors that it logs. */
function settling(texts: readonly string[]) {
  const errors: string[] = []
  const log: Log = { ...rig.log, error: (_: unknown, message = '') => void errors.push(message) }
  return { ...solve(ethereum, { client: refusing(texts), log }), errors }
}

const fillAll = async (requests: readonly SolverRequest[]) => {
  const filling = solve(rollup)
  for (const each of requests) await rig.deposit(each)
  for (const { requestId } of requests)
    expect((await rig.outcome(requestId)).state.status).toBe('success')
  await filling.stop()
}

it('settles the good deposits of a batch at once, and raises the alarm for a bad one (all waited)', async () => {
  const requests: SolverRequest[] = []
  for (let at = 0; at < 5; at += 1) requests.push(await quote(units(50n)))
  const [bad, ...good] = requests as [SolverRequest, ...SolverRequest[]]
  await fillAll(requests)
  const solver = settling([bad.orderId])
  await rig.passSettlement(ethereum)
  await areAll(good, 'settled')
  await vi.waitUntil(() => solver.status().unsettleable === 1, patience)
  expect(solver.errors).toEqual(['A filled deposit cannot be settled'])
  await areAll([bad], 'filled')
  await solver.stop()
  solve(ethereum)
  await areAll([bad], 'settled')
})

it('settles a deposit without app fees that the depository refuses, and keeps them as owed (nothing settled)', async () => {
  const app = newAccount()
  const quoted = await quote(units(100n), { appFees: [{ recipient: app, fee: toBps(50n) }] })
  await fillAll([quoted])
  const solver = settling([app])
  await rig.passSettlement(ethereum)
  await areAll([quoted], 'settled')
  const [deposit] = await depositsOf([quoted])
  const amount = quoted.order.fees[0]?.amount
  expect(deposit?.owedAppFees).toEqual([{ recipient: app, amount }])
  expect(solver.errors).toEqual(['The depository refuses the app fees of a deposit: they are owed'])
})

it('splits a batch by the outflow that is available, and pays one above the limit once it is unused (none settled)', async () => {
  const sizes = [60n, 60n, 60n, 150n]
  const requests: SolverRequest[] = []
  for (const each of sizes) requests.push(await quote(units(each)))
  await fillAll(requests)
  await owner.limit(usdc, units(100n))
  solve(ethereum)
  await rig.passSettlement(ethereum)
  // Room returns with time, and a slow solver may have settled only some when an hour has passed.
  await vi.waitUntil(
    async () => {
      await rig.pass(ethereum, 3_600)
      return (await depositsOf(requests)).every(({ status }) => status === 'settled')
    },
    { ...patience, interval: 250 },
  )
})

it('quotes nothing while the depository does not pay the solver (all quoted)', async () => {
  const { name } = rig.chainOf(ethereum)
  const stopped = () => rig.market.latest(ethereum)?.settlement?.stopped
  const refuses = async (cause: string) => {
    await vi.waitUntil(() => stopped() === cause, patience)
    await expect(quote(units(100n))).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      data: { cause },
    })
  }
  const solver = solve(ethereum)
  await owner.setAllocator(newAccount())
  await refuses('otherAllocator')
  expect(solver.status().settlementStopped).toBe(true)
  await owner.setAllocator(rig.solverAddress)
  await owner.setChainName('another chain')
  await refuses('otherName')
  await owner.setChainName(name)
  await vi.waitUntil(() => stopped() === undefined, patience)
  expect(solver.status().settlementStopped).toBe(false)
  await quote(units(100n))
  // Last: a payee that is added again waits for two days.
  await owner.removePayee(rig.solverAddress)
  await refuses('notAPayee')
})
