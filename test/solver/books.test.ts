import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { readReceipt } from '#src/chains/read/readTransaction.ts'
import { toBps } from '#src/core/units/bps.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { evmHash } from '#src/core/units/txId.ts'
import { toUsd } from '#src/core/units/usd.ts'
import {
  addUp,
  type BookDay,
  type BookSums,
  profitOf,
  unknownIn,
} from '#src/requests/state/books.ts'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'
import { spendings } from '#src/requests/tracker/read/trackedLogs.ts'
import { createRigLedger, entryName } from '#test/support/models/rigLedger.ts'
import {
  ethereum,
  type Place,
  patience,
  rollup,
  type SolverRig,
  startSolverRig,
} from '#test/support/rigs/solverRig.ts'
import { newAccount } from '#test/support/wallets/newAccount.ts'

let rig: SolverRig
let solvers: ReadonlyMap<ChainId, ReturnType<SolverRig['solve']>>
beforeAll(async () => {
  rig = await startSolverRig({ blockSeconds: 0.5 }, { chainIds: [ethereum, rollup] })
  rig.track()
  solvers = new Map([ethereum, rollup].map((id) => [id, rig.solve(id)]))
})
afterAll(() => rig.stop())

const units = (whole: bigint, decimals: number): bigint => whole * 10n ** BigInt(decimals)

const booksOf = (chainId: ChainId): Promise<readonly BookDay[]> => rig.store.bookDays([chainId], 0)

const countOf = (days: readonly BookDay[], purpose: BookDay['purpose']): number =>
  addUp(days.filter((day) => day.purpose === purpose)).transactions

/** The value of amounts in millionths of a dollar, not rounded to a currency's unit. */
function worth(place: Place, amount: bigint): number {
  const { chainId, address, decimals } = rig.currencyOf(place)
  const price = rig.market.latest(chainId)?.usdPrices.get(address)
  if (price === undefined) throw new Error(`No price of ${place}`)
  return Number(amount * price) / 10 ** (decimals + 12)
}

async function fill(from: Place, to: Place, change: Parameters<SolverRig['quote']>[2]) {
  const quoted = await rig.quote(from, to, { recipient: newAccount(), ...change })
  await rig.deposit(quoted)
  return rig.outcome(quoted.requestId)
}

/** A promised output that has become more expensive: the pools return a part of the input that is sent for it. */
async function fillLate(from: Place, to: Place, amount: bigint) {
  const change = { amount, recipient: newAccount(), disableOriginSwaps: true }
  const quoted = await rig.quote(from, to, { ...change, tradeType: 'EXACT_OUTPUT' })
  await rig.swap([to[0], from[1]], to, {
    amount: from[1] === 'ETH' ? units(1n, 18) : units(3000n, 6),
  })
  await rig.settled()
  await rig.deposit(quoted)
  return rig.outcome(quoted.requestId)
}

/** Number of the fill's transfers of ERC-20s to the solver. */
async function returnsOf({ requestId }: SolverRequest): Promise<number> {
  const transactions = await rig.store.transactionsOf(requestId)
  const hash = transactions.find(({ purpose }) => purpose === 'fill')?.mined?.hash
  const receipt = hash && (await readReceipt(rig.clientOn(rollup), evmHash(hash)))
  if (receipt === undefined) throw new Error('It was not filled')
  return spendings(rig.chainOf(rollup), receipt).filter(
    ({ recipient }) => recipient === rig.solverAddress,
  ).length
}

it('books what fills, refunds and settlements bring and cost, as the chains show it', async () => {
  const places: readonly Place[] = [ethereum, rollup].flatMap((chainId) =>
    ['ETH', 'WETH', 'USDC'].map((symbol): Place => [chainId, symbol]),
  )
  const ledger = createRigLedger(rig, places.map(rig.currencyOf))
  const accounts = new Map([['solver', rig.solverAddress]])
  const opened = await ledger.open(accounts)
  const before = new Map(
    await Promise.all(
      [ethereum, rollup].map(
        async (id) => [id, await rig.wallet.clientOn(id).getBlockNumber()] as const,
      ),
    ),
  )

  const direct = { disableOriginSwaps: true }
  const appFees = [{ recipient: newAccount(), fee: toBps(30n) }]
  const outcomes = [
    await fill([ethereum, 'ETH'], [rollup, 'ETH'], { amount: units(1n, 17), ...direct }),
    await fill([ethereum, 'USDC'], [rollup, 'USDC'], { amount: units(100n, 6), appFees }),
    await fillLate([ethereum, 'ETH'], [rollup, 'USDC'], units(150n, 6)),
    await fillLate([ethereum, 'USDC'], [rollup, 'WETH'], units(2n, 16)),
    await fill([ethereum, 'USDC'], [rollup, 'USDC'], {
      amount: units(100n, 6),
      referrer: 'debug-force-refund',
    }),
  ]
  expect(outcomes.map(({ state }) => state.status)).toEqual([...Array(4).fill('success'), 'refund'])
  const [, , late, other] = outcomes
  if (late === undefined || other === undefined) throw new Error('They were not filled')
  expect(await Promise.all([late, other].map(returnsOf))).toEqual([1, 1])
  await rig.passSettlement(ethereum)
  await vi.waitFor(async () => {
    const deposits = await rig.store.depositsOfAll(outcomes.map(({ requestId }) => requestId))
    expect(new Set(deposits.map(({ status }) => status))).toEqual(new Set(['settled', 'refunded']))
    expect(countOf(await booksOf(ethereum), 'refund')).toBe(1)
    expect(countOf(await booksOf(ethereum), 'settlement')).toBe(2)
    expect(countOf(await booksOf(rollup), 'fill')).toBe(4)
    for (const id of [ethereum, rollup])
      expect(await rig.store.unbooked(id, { since: 0, limit: 1 })).toEqual([])
  }, patience)

  const books = [...(await booksOf(ethereum)), ...(await booksOf(rollup))]
  expect(unknownIn(addUp(books))).toBe(0)
  const transactions = addUp(books).transactions

  // The gas is exact to the wei.
  for (const id of [ethereum, rollup]) {
    const paid = await ledger.gasSince(id, before.get(id) ?? 0n)
    expect(addUp(await booksOf(id)).gas).toBe(paid.get(rig.solverAddress))
  }
  // All that the solver's balances have gained, without gas, is fees. Each transaction rounds down once for a currency.
  const changes = await opened.changes(new Map())
  const gained = places.reduce(
    (sum, place) =>
      sum + worth(place, changes.get(entryName('solver', rig.currencyOf(place))) ?? 0n),
    0,
  )
  const { feesUsd, gasUsd, volumeUsd } = addUp(books)
  expect(Math.abs(Number(feesUsd) - gained)).toBeLessThanOrEqual(2 * transactions)
  expect(gained).toBeGreaterThan(0)
  const gasWorth = [ethereum, rollup].map((id) =>
    worth([id, 'ETH'], addUp(books.filter(({ chainId }) => chainId === id)).gas),
  )
  expect(Number(gasUsd) - gasWorth.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(
    transactions,
  )
  // What the fills took: less than the deposits, and more than the recipients got without swaps.
  expect(volumeUsd).toBeGreaterThan(0n)
  expect(profitOf(addUp(books))).toBe(toUsd(feesUsd - gasUsd))

  // The metrics of a worker are the same sums.
  await vi.waitFor(() => {
    for (const [id, solver] of solvers) {
      const sums: BookSums = addUp(books.filter(({ chainId }) => chainId === id))
      expect(solver.status().books?.total).toEqual(sums)
    }
  }, patience)
})
