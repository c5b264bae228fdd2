import { expect, it } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import { evmAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { paymentIdsOf } from '#src/protocol/calls/depositAddress.ts'
import type { QuotedRequest } from '#src/requests/quotedRequest.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { ChainView } from '#src/solver/chainView.ts'
import type { Requote } from '#src/solver/payments/openPayments.ts'
import { createOpenPayments } from '#src/solver/payments/openPayments.ts'
import { currencyOf, market, originChain } from '#test/support/fixtures/markets.ts'
import { quotedRequest } from '#test/support/fixtures/quotedRequest.ts'
import { openEmptyStore } from '#test/support/store/emptyStore.ts'
import { silentLog } from '#test/support/store/storeHome.ts'

const usdc = currencyOf(originChain, 'USDC')
const hash = (at: number) => `0x${at.toString(16).padStart(64, '0')}` as const
const height = 5n

/** An open address with this number. */
function addressOf(at: number): Extract<QuotedRequest, { execution: 'solver' }> {
  const quoted = quotedRequest(hash(at))
  if (quoted.execution !== 'solver') throw new Error('Not for the solver')
  const inputs = quoted.inputs.map((input) => ({ ...input, depositCurrency: usdc.address }))
  return { ...quoted, inputs, originChainId: originChain, orderId: hash(at), open: {} }
}

const paymentOf = (parent: number, at: number, amount: bigint): Deposit => ({
  depositId: `${originChain}:${hash(at)}:0`,
  chainId: originChain,
  txHash: hash(at),
  orderId: hash(parent),
  requestId: hash(parent),
  version: 0,
  status: 'seen',
  timestamp: 1,
  block: { number: height, hash: hash(1) },
  record: { index: at, exitTime: 10 ** 9 },
  depositor: evmAddress(quotedRequest('0x').refundTo),
  currency: usdc.address,
  amount: toAmount(amount),
})

/** Binds payments in rounds. Those below ten dollars do not pay for their fill. */
async function createRounds() {
  const store = await openEmptyStore({ log: silentLog, bus: { publish: () => undefined } })
  /** Ids of the payments that were priced, one for each time. */
  const priced: string[] = []
  const requote: Requote = async (parent, payment) => {
    priced.push(payment.depositId)
    if (payment.amount < 10_000_000n) throw new AppError('AMOUNT_TOO_LOW', 'Too little.')
    const { state: _, version: __, open: ___, ...terms } = parent
    return { ...terms, ...paymentIdsOf(parent, payment.depositId), parentId: parent.requestId }
  }
  const bind = createOpenPayments(
    {
      store,
      log: silentLog,
      now: () => 1_000_000,
      requote,
      market: {
        latest: () => market.chains.get(originChain),
        currencies: { known: () => usdc, list: () => [], ofChain: () => [] },
      },
    },
    { chain: { id: originChain, depositConfirmations: 1 } as never },
  )
  let seconds = 10n
  return {
    store,
    priced,
    /** One round. A second of chain time passes. */
    async round() {
      seconds += 1n
      await bind({ head: { number: height + 1n, timestamp: seconds } } as ChainView)
    },
  }
}

type Rounds = Awaited<ReturnType<typeof createRounds>>

/** Rounds until the payment has a request, at most 40. */
async function roundsUntilBound({ store, round }: Rounds, { depositId }: Deposit): Promise<number> {
  for (let rounds = 1; rounds <= 40; rounds += 1) {
    await round()
    const [deposit] = await store.findDeposits([depositId])
    if (deposit?.status === 'credited') return rounds
  }
  return Number.POSITIVE_INFINITY
}

it('hundreds of payments of a few wei to one’s own address delay nobody, and are priced once', async () => {
  const rounds = await createRounds()
  const [attacker, user] = [1, 2]
  for (const at of [attacker, user]) await rounds.store.put(addressOf(at))
  const dust = Array.from({ length: 400 }, (_, at) => paymentOf(attacker, 100 + at, 5n))
  const payment = paymentOf(user, 99_999, 500_000_000n)
  await rounds.store.save({ deposits: [...dust, payment] })
  const waited = await roundsUntilBound(rounds, payment)
  for (let more = 0; more < 10; more += 1) await rounds.round()
  const quotes = rounds.priced.length
  expect(
    { waited, quotes },
    `The user waited ${waited} rounds, and ${quotes} quotes were made`,
  ).toEqual({ waited: 1, quotes: 401 })
  await rounds.store.close()
})

it('a stranger’s dust for the address of a user delays the user’s payment neither', async () => {
  const rounds = await createRounds()
  await rounds.store.put(addressOf(1))
  const dust = Array.from({ length: 200 }, (_, at) => paymentOf(1, 100 + at, 5n))
  const payment = paymentOf(1, 99_999, 500_000_000n)
  await rounds.store.save({ deposits: [...dust, payment] })
  expect(await roundsUntilBound(rounds, payment)).toBe(1)
  await rounds.store.close()
})

it('payments that wait for a price are priced more and more rarely, and addresses take turns', async () => {
  const rounds = await createRounds()
  for (const at of [1, 2]) await rounds.store.put(addressOf(at))
  const many = Array.from({ length: 200 }, (_, at) => paymentOf(1, 100 + at, 2_000_000n))
  const one = paymentOf(2, 99_999, 2_000_000n)
  await rounds.store.save({ deposits: [...many, one] })
  for (let round = 0; round < 120; round += 1) await rounds.round()
  const own = rounds.priced.filter((id) => id === one.depositId).length
  expect(own).toBeGreaterThanOrEqual(5)
  expect(own).toBeLessThanOrEqual(10)
  expect(rounds.priced.length).toBeLessThanOrEqual(120 * 17)
  for (const { depositId } of many) expect(rounds.priced).toContain(depositId)
  await rounds.store.close()
})
