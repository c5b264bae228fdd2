import { beforeAll, expect, it, vi } from 'vitest'
import { users } from '#src/devnet/accounts.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import {
  createMultiRequests,
  dataOf,
  depositHashes,
  originOf,
  patience,
  type QuotedOrder,
} from '#test/support/clients/multiRequests.ts'
import { bnb, ethereum, rollup, useQuotes } from '#test/support/gateways/useQuotes.ts'
import { createLedger } from '#test/support/models/ledger.ts'
import { lateMultiOrders } from '#test/support/orders/lateMultiOrders.ts'

/** Seconds until the deposit deadline: far longer than this file needs to quote and deposit. */
const multiInputSeconds = 900

const quotes = useQuotes({
  roles: ['gateway', 'tracker', 'solver'],
  change: { multiInputSeconds },
})
const { stack, wallet, balanceOf, symbolOf, symbolsOn } = quotes
const { quote, execute, ended, statusOf, paymentsOf } = createMultiRequests(quotes)

const ledger = createLedger(quotes)
const all: QuotedOrder[] = []
let opening: Awaited<ReturnType<typeof ledger.open>>
let openingBalances: ReadonlyMap<string, bigint>
/** Title and status of each request before its deposit deadline. */
let early: readonly (readonly string[])[]

beforeAll(async () => {
  for (const order of lateMultiOrders) all.push(await quote(order))
  opening = await ledger.open()
  openingBalances = await balancesNow()
  for (const made of all) await execute(made, (step) => originOf(made, step).isLate !== true)
  await vi.waitFor(async () => {
    const deposits = (await Promise.all(all.map(depositsOf))).flat()
    expect(deposits.filter(({ status }) => status === 'credited')).toHaveLength(
      all.flatMap((made) => depositHashes(made)).length,
    )
  }, patience)
  early = await Promise.all(all.map(async (made) => [made.title, (await statusOf(made)).status]))
  await movePast(Math.max(...all.map((made) => made.quote.depositDeadline)))
  await ended(all.filter(({ origins }) => origins.some(({ isLate }) => isLate !== true)))
  for (const made of all) await execute(made, (step) => originOf(made, step).isLate === true)
  await ended(all)
  await vi.waitFor(async () => {
    const deposits = (await Promise.all(all.map(depositsOf))).flat()
    expect(deposits).toHaveLength(all.flatMap((made) => depositHashes(made)).length)
    expect(deposits.filter(({ status }) => /seen|credited|refundable/.test(status))).toEqual([])
  }, patience)
})

it('waits until the deadline for the missing deposits', () => {
  expect(early).toEqual(
    all.map(({ title }) => [title, title.startsWith('all late') ? 'waiting' : 'depositing']),
  )
})

it('shows the outcome of each deposit', async () => {
  const shown: Record<string, unknown> = {}
  for (const made of all) {
    const state = await statusOf(made)
    const deposits = state.deposits.map(({ chainId, status, reason, refund }) =>
      [chainId, status.replace(/settl(ed|ing)/, 'filled'), reason, refund?.status].join(' ').trim(),
    )
    const { status, failReason, inTxHashes, txHashes, fill, refund } = state
    const timely = depositHashes(made, (step) => originOf(made, step).isLate !== true)
    expect(inTxHashes).toEqual(expect.arrayContaining([...timely]))
    shown[made.title] = [
      status,
      failReason,
      txHashes.length,
      fill?.status,
      refund?.status,
      deposits.sort(),
    ]
  }
  expect(shown).toMatchInlineSnapshot(`
    {
      "a part": [
        "success",
        null,
        1,
        "confirmed",
        undefined,
        [
          "990001 filled",
          "990002 filled",
          "990002 refunded ORDER_EXPIRED confirmed",
        ],
      ],
      "a part of an exact output": [
        "success",
        null,
        1,
        "confirmed",
        undefined,
        [
          "990001 filled",
          "990002 refunded ORDER_EXPIRED confirmed",
        ],
      ],
      "a part, a swap last": [
        "success",
        null,
        1,
        "confirmed",
        undefined,
        [
          "990001 filled",
          "990002 refunded ORDER_EXPIRED confirmed",
        ],
      ],
      "all late, false": [
        "refund",
        "ORDER_EXPIRED",
        1,
        "skipped",
        "confirmed",
        [
          "990001 refunded ORDER_EXPIRED confirmed",
          "990002 refunded ORDER_EXPIRED confirmed",
        ],
      ],
      "all late, true": [
        "refund",
        "ORDER_EXPIRED",
        1,
        "skipped",
        "confirmed",
        [
          "990001 refunded ORDER_EXPIRED confirmed",
          "990002 refunded ORDER_EXPIRED confirmed",
        ],
      ],
      "nothing": [
        "refund",
        "ORDER_EXPIRED",
        2,
        "skipped",
        "confirmed",
        [
          "990001 refunded ORDER_EXPIRED confirmed",
          "990002 refunded ORDER_EXPIRED confirmed",
          "990003 refunded ORDER_EXPIRED confirmed",
        ],
      ],
      "nothing, for another": [
        "refund",
        "ORDER_EXPIRED",
        2,
        "skipped",
        "confirmed",
        [
          "990001 refunded ORDER_EXPIRED confirmed",
          "990002 refunded ORDER_EXPIRED confirmed",
          "990003 refunded ORDER_EXPIRED confirmed",
        ],
      ],
    }
  `)
})

it('pays the recipient of a partial fill its share of the output', async () => {
  for (const made of all.filter(({ title }) => title.startsWith('a part'))) {
    const request = await stack().store.find(made.requestId)
    if (request?.execution !== 'solver') throw new Error('Nobody fills it')
    const { inputs, fill, state } = request
    const missed = inputs.filter((_, at) => state.inputStates[at]?.status === 'missed')
    expect(missed.map(({ chainId }) => chainId)).toEqual([rollup])
    // Payout amount without the missed input. Rounding may take one more unit.
    const left = missed.reduce<bigint>((rest, each) => rest - each.payoutAmount, fill.payoutAmount)
    const shareOf = (spend: bigint) => (made.minimum * spend) / fill.payoutAmount
    const paid = await balanceOf(made.to, made.recipient)
    if (made.title === 'a part') expect([left - 1n, left]).toContain(paid)
    // The recipient gets the unused part of the gas reserve of an exact-output quote.
    const deposited = inputs
      .filter((each) => !missed.includes(each))
      .reduce<bigint>((sum, { depositAmount }) => sum + depositAmount, 0n)
    if (made.title === 'a part of an exact output') expect(paid).toBeLessThan(shareOf(deposited))
    expect([made.title, paid >= shareOf(left - 1n)]).toEqual([made.title, true])
    expect([made.title, paid < made.minimum]).toEqual([made.title, true])
    expect(await paymentsOf(made, 'fill')).toHaveLength(1)
  }
})

it('refunds every other deposit once, to its depositor or to the quote’s refund address', async () => {
  for (const made of all) {
    const deposits = (await depositsOf(made)).filter(({ status }) => status === 'refunded')
    const refunds = await paymentsOf(made, 'refund')
    expect(refunds.flatMap(({ depositIds }) => depositIds).sort()).toEqual(
      deposits.map(({ depositId }) => depositId).sort(),
    )
    for (const { depositId, currency, amount } of deposits) {
      const [spent] = refunds.find(({ depositIds }) => depositIds.includes(depositId))?.spends ?? []
      const back: bigint = spent?.amount ?? 0n
      expect([spent?.currency, amount > back, back * 100n > amount * 98n]).toEqual([
        currency,
        true,
        true,
      ])
    }
  }
})

it('changes the users’ balances by deposits, gas and refunds only', async () => {
  const expected = new Map(openingBalances)
  const add = (chainId: number, symbol: string, user: string, amount: bigint) => {
    const key = `${chainId} ${symbol} ${user}`
    const before = expected.get(key)
    if (before !== undefined) expected.set(key, before + amount)
  }
  for (const made of all) {
    for (const [at, { gasUsed, effectiveGasPrice }] of made.receipts) {
      const step = made.quote.steps[at]
      if (step === undefined) continue
      const {
        from: [chainId, symbol],
        amount,
        user,
      } = originOf(made, step)
      const { value } = dataOf(step)
      add(chainId, nativeOf(chainId), user, -gasUsed * effectiveGasPrice)
      if (step.name === 'DEPOSIT')
        add(chainId, symbol, user, -BigInt(value === '0' ? amount : value))
    }
    const deposits = await depositsOf(made)
    for (const { chainId, depositIds, spends } of await paymentsOf(made, 'refund'))
      for (const { currency, amount } of spends) {
        const depositor = deposits.find(({ depositId }) =>
          depositIds.includes(depositId),
        )?.depositor
        add(chainId, symbolOf(chainId, currency), made.change?.refundTo ?? depositor ?? '', amount)
      }
  }
  expect(await balancesNow()).toEqual(expected)
})

it('balances the ledger of solver and depositories to the wei', async () => {
  const { found, expected } = await ledger.close(
    opening,
    all.map(({ requestId }) => requestId),
  )
  expect(found).toEqual(expected)
})

const depositsOf = ({ requestId }: QuotedOrder): Promise<readonly Deposit[]> =>
  stack().store.depositsOf(requestId)

const nativeOf = (chainId: number) => symbolsOn(chainId)[0] ?? ''

/** Balance of every depositor and refund address in each input currency. */
async function balancesNow(): Promise<ReadonlyMap<string, bigint>> {
  const accounts = [
    ...users.map(({ address }) => address),
    ...lateMultiOrders.flatMap(({ change }) => change?.refundTo ?? []),
  ]
  const places = [ethereum, rollup, bnb].flatMap((chainId) =>
    symbolsOn(chainId)
      .filter((symbol) => /^(BNB|ETH|USDC|ACORN)$/.test(symbol))
      .map((symbol) => [chainId, symbol] as const),
  )
  const held = places.flatMap((place) =>
    accounts.map(
      async (account) =>
        [`${place.join(' ')} ${account}`, await balanceOf(place, account)] as const,
    ),
  )
  return new Map(await Promise.all(held))
}

/** Moves the clocks of all chains past a Unix time in seconds. */
async function movePast(time: number): Promise<void> {
  for (const { id } of stack().config.chains) {
    const client = wallet().clientOn(id)
    const { timestamp } = await client.getBlock()
    await client.increaseTime({ seconds: time + 1 - Number(timestamp) })
    await client.mine({ blocks: 1 })
    expect((await client.getBlock()).timestamp).toBeGreaterThan(time)
  }
}
