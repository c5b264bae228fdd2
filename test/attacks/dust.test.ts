import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { nativeAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'
import {
  ethereum,
  patience,
  rollup,
  type SolverRig,
  startBridgingRig,
} from '#test/support/rigs/solverRig.ts'
import { useSolvers } from '#test/support/rigs/useSolvers.ts'

let rig: SolverRig
let paid: SolverRequest
beforeAll(async () => {
  rig = await startBridgingRig()
  rig.track()
  paid = await rig.quote([ethereum, 'ETH'], [rollup, 'ETH'], { amount: 10n ** 17n })
  await rig.deposit(paid)
  await vi.waitUntil(async () => (await rig.find(paid.requestId)).state.status === 'pending', {
    ...patience,
  })
})
afterAll(() => rig.stop())
const solve = useSolvers(() => rig)

const dustCount = 60

/** Stores further deposits for an order that is paid already, as the tracker does: they are due to be refunded. */
async function putSurplus(count: number, amount: bigint): Promise<readonly string[]> {
  const [known] = await rig.store.depositsOf(paid.requestId)
  if (known === undefined) throw new Error('No deposit')
  const deposits = Array.from({ length: count }, (_, at): Deposit => {
    const txHash =
      `0x${(BigInt(amount) * 1000n + BigInt(at)).toString(16).padStart(64, '0')}` as const
    return {
      ...known,
      depositId: `${ethereum}:${txHash}:0`,
      txHash,
      currency: nativeAddress,
      amount: toAmount(amount),
      status: 'refundable',
      reason: 'DOUBLE_SPEND',
      version: 0,
    }
  })
  expect(await rig.store.save({ deposits })).toBe('saved')
  return deposits.map(({ depositId }) => depositId)
}

type Ask = ChainClient['ask']

/** The rig's client, which calls `before` before it estimates the gas of a payout from the depository. */
function clientWith(before: () => Promise<void>): ChainClient {
  const client = rig.clientOn(ethereum)
  const { depository } = rig.contractsOn(ethereum)
  const ask: Ask = async (request, ...rest) => {
    const [call] = request.params as readonly [Readonly<{ to?: string }>?]
    if (request.method === 'eth_estimateGas' && call?.to === depository) await before()
    return client.ask(request, ...rest)
  }
  return { ...client, ask }
}

it('dust costs the solver no request to its node', async () => {
  const ids = await putSurplus(dustCount, 1n)
  let estimates = 0
  solve(ethereum, {
    client: clientWith(async () => {
      estimates += 1
    }),
  })
  await vi.waitUntil(async () => {
    const deposits = await rig.store.findDeposits(ids)
    return deposits.every(({ status }) => status === 'kept')
  }, patience)
  expect(
    estimates,
    `${dustCount} wei of an attacker cost the solver ${estimates} simulations, one after the other, before its next fill`,
  ).toBe(0)
})

it('a refund that never ends delays no fill', async () => {
  await putSurplus(1, 10n ** 17n)
  const hanging = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  try {
    solve(ethereum, {
      client: clientWith(() => {
        asked.resolve()
        return hanging.promise
      }),
    })
    await asked.promise
    const honest = await rig.quote([rollup, 'ETH'], [ethereum, 'ETH'], { amount: 10n ** 17n })
    await rig.deposit(honest)
    await vi.waitFor(
      async () =>
        expect(
          (await rig.find(honest.requestId)).state.status,
          'a deposit of 0.1 ETH is not filled while the refund of another waits for its node',
        ).toMatch(/submitted|success/),
      patience,
    )
  } finally {
    hanging.resolve()
  }
})
