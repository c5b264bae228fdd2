import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { Order } from '#src/core/pricing/order.ts'
import { toBps } from '#src/core/units/bps.ts'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'
import { inputOf } from '#test/support/orders/fillCase.ts'
import {
  ethereum,
  type Place,
  patience,
  rollup,
  type SolverRig,
  startBridgingRig,
} from '#test/support/rigs/solverRig.ts'
import { times } from '#test/support/runs.ts'
import { newAccount } from '#test/support/wallets/newAccount.ts'

let rig: SolverRig
let paying: ReturnType<SolverRig['solve']>
beforeAll(async () => {
  rig = await startBridgingRig()
  rig.track()
  rig.solve(ethereum)
  paying = rig.solve(rollup)
})
afterAll(() => rig.stop())

const units = (whole: bigint, decimals: number): bigint => whole * 10n ** BigInt(decimals)
/** Polls rarely, because reading a hundred requests is expensive. */
const slowPatience = { ...patience, interval: 300 }

const withoutSwaps = { disableOriginSwaps: true } as const

function quoteOf(symbol: string, amount: bigint, change: Partial<Omit<Order, 'amount'>>) {
  const from: Place = [ethereum, symbol]
  return rig.quote(from, [rollup, symbol], { ...withoutSwaps, ...change, amount })
}

async function fill(...args: Parameters<typeof quoteOf>) {
  const quoted = await quoteOf(...args)
  await rig.deposit(quoted)
  return quoted
}

const statusesOf = async (requests: readonly SolverRequest[]) => {
  const found = await Promise.all(requests.map((each) => rig.store.depositsOf(each.requestId)))
  return [...new Set(found.flat().map(({ status }) => status))]
}

it('settles app fees and the solver’s share from the depository once each, even if a fee recipient reverts', async () => {
  const [collector, refusing] = [newAccount(), newAccount()]
  const { depository } = rig.contractsOn(ethereum)
  const holdings = (symbol: string) => rig.balanceOf(rig.currencyOf([ethereum, symbol]), depository)
  const solverHolds = () => rig.balanceOf(rig.currencyOf([ethereum, 'USDC']), rig.solverAddress)
  const before = await solverHolds()
  const appFees = [collector, refusing].map((recipient) => ({ recipient, fee: toBps(30n) }))
  const requests = [
    await fill('ETH', units(1n, 17), { appFees }),
    await fill('USDC', units(100n, 6), { appFees }),
    await fill('USDC', units(50n, 6), { appFees: [] }),
  ]
  for (const { requestId } of requests)
    expect((await rig.outcome(requestId)).state.status).toBe('success')
  expect(await statusesOf(requests)).toEqual(['filled'])
  await rig.wallet.clientOn(ethereum).setCode({ address: refusing, bytecode: '0x5f5ffd' })
  await rig.passSettlement(ethereum)
  await vi.waitFor(async () => expect(await statusesOf(requests)).toEqual(['settled']), patience)

  const feesOf = (request: SolverRequest | undefined, recipient: string) =>
    request?.order.fees.find((fee) => fee.recipient === recipient)?.amount ?? 0n
  const [ether, usdc] = requests
  expect(feesOf(ether, refusing)).toBeGreaterThan(0n)
  const balance = (symbol: string, holder: string) =>
    rig.balanceOf(rig.currencyOf([ethereum, symbol]), holder)
  expect(await balance('ETH', collector)).toBe(feesOf(ether, collector))
  expect(await balance('USDC', collector)).toBe(feesOf(usdc, collector))
  // An ERC-20 transfer does not call the recipient, so it cannot be rejected.
  expect(await balance('USDC', refusing)).toBe(feesOf(usdc, refusing))
  expect(await balance('ETH', refusing)).toBe(0n)
  expect(await holdings('ETH')).toBe(feesOf(ether, refusing))
  expect(await holdings('USDC')).toBe(0n)
  const fees = feesOf(usdc, collector) + feesOf(usdc, refusing)
  const deposited = requests.slice(1).reduce((sum, each) => sum + inputOf(each).depositAmount, 0n)
  expect((await solverHolds()) - before).toBe(deposited - fees)
})

it('fills many deposits at once with consecutive nonces', async () => {
  const count = times(100, 40, 12)
  await paying.stop()
  const requests: SolverRequest[] = []
  for (let at = 0; at < count; at++)
    requests.push(await quoteOf('ETH', units(1n, 16), { recipient: newAccount() }))
  await rig.depositAll(requests)
  await vi.waitFor(
    async () => expect(await rig.store.fillable(rollup, false, { limit: 200 })).toHaveLength(count),
    slowPatience,
  )
  // The solver sends all fills before the first one is mined.
  await rig.suspendMining(rollup, async () => {
    rig.solve(rollup)
    await vi.waitFor(
      async () => expect(await rig.store.fillable(rollup, false, { limit: 200 })).toEqual([]),
      slowPatience,
    )
  })
  for (const { requestId, recipient, amountOut } of requests) {
    expect((await rig.outcome(requestId)).state.status).toBe('success')
    expect(await rig.balanceOf(rig.currencyOf([rollup, 'ETH']), recipient)).toBe(amountOut)
  }
  const sent = await Promise.all(requests.map((each) => rig.store.transactionsOf(each.requestId)))
  const fills = sent.flat().filter(({ purpose }) => purpose === 'fill')
  expect(new Set(fills.map(({ mined }) => mined?.block.number)).size).toBeLessThan(count / 2)
  const nonces = fills.map(({ nonce }) => nonce)
  const sorted = nonces.toSorted((one, other) => one - other)
  expect(sorted).toEqual(sorted.map((_, at) => (sorted[0] ?? 0) + at))
  expect(nonces).toHaveLength(count)
})
