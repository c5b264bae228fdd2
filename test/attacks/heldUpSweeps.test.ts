import { RpcRequestError } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { type AddressPayments, createAddressPayments } from '#test/support/rigs/addressPayments.ts'
import {
  ethereum,
  type Place,
  rollup,
  type SolverRig,
  startBridgingRig,
} from '#test/support/rigs/solverRig.ts'
import { useSolvers } from '#test/support/rigs/useSolvers.ts'

let rig: SolverRig
let pays: AddressPayments
beforeAll(async () => {
  rig = await startBridgingRig()
  pays = createAddressPayments(rig)
  rig.track()
})
afterAll(() => rig.stop())
const solve = useSolvers(() => rig)

const units = (whole: bigint, decimals: number): bigint => whole * 10n ** BigInt(decimals)
const ether: Place = [ethereum, 'ETH']
const usdc: Place = [ethereum, 'USDC']
const hundred = units(100n, 6)

/** The first chain's client, which calls `before` before it estimates the gas of a sweep, and `after` once one fails. */
function aroundSweeps(before: (data: string) => Promise<void>, after = () => {}): ChainClient {
  const client = rig.clientOn(ethereum)
  const factory = rig.contractsOn(ethereum).depositAddressFactory
  const ask: ChainClient['ask'] = async (request, ...rest) => {
    const [call] = request.params as readonly [Readonly<{ to?: string; data?: string }>?]
    if (request.method !== 'eth_estimateGas' || call?.to !== factory)
      return client.ask(request, ...rest)
    await before(call?.data ?? '')
    return client.ask(request, ...rest).catch((error) => {
      after()
      throw error
    })
  }
  return { ...client, ask }
}

it('sweeps a payment as soon as it reappears after a short absence', async () => {
  solve(rollup)
  const quoted = await pays.quote(usdc, hundred)
  const { blockNumber } = await pays.pay(usdc, quoted.address, hundred)
  const refused = Promise.withResolvers<void>()
  let isGone = false
  const client = aroundSweeps(async () => {
    if (isGone) return
    isGone = true
    await rig.reorg(ethereum, blockNumber)
  }, refused.resolve)
  // On this clock no address rests for a minute, so a sweep that needs the rest never starts.
  const start = Date.now()
  solve(ethereum, { client, now: () => Math.min(Date.now(), start + 50_000) })
  await refused.promise
  await pays.pay(usdc, quoted.address, hundred)
  expect((await rig.outcome(quoted.requestId)).state.status).toBe('success')
  expect(await pays.paidOut(quoted)).toBe(quoted.amountOut)
  expect(await pays.left(quoted, usdc)).toBe(0n)
})

it('a currency whose issuer has blocked the address does not delay its other currencies', async () => {
  solve(rollup)
  const amount = units(1n, 17)
  const quoted = await pays.quote(ether, amount, { isOpen: true })
  await pays.pay(usdc, quoted.address, hundred)
  await pays.pay(ether, quoted.address, amount)
  const blocked = rig.currencyOf(usdc).address.slice(2)
  const start = Date.now()
  const client = aroundSweeps(async (data) => {
    if (!data.includes(blocked)) return
    const error = { code: 3, message: 'execution reverted: blocked' }
    throw new RpcRequestError({ body: {}, error, url: '' })
  })
  await rig.store.addSweepHint({ chainId: ethereum, requestId: quoted.requestId })
  solve(ethereum, { client, now: () => Math.min(Date.now(), start + 50_000) })
  const [payment] = await pays.payments(quoted, 1)
  const { state, amountOut } = await rig.outcome(payment?.requestId ?? '')
  expect([state.status, await pays.paidOut(quoted)]).toEqual(['success', amountOut])
  expect(await pays.left(quoted, usdc)).toBe(hundred)
})
