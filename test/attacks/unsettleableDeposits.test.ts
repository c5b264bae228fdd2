import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { Address } from '#src/units/address.ts'
import { createDepositoryOwner } from '#test/support/rigs/depositoryOwner.ts'
import {
  ethereum,
  type Place,
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
  usdc = rig.currencyOf([ethereum, 'USDC']).address
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

it.fails.each<[string, bigint]>([
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
