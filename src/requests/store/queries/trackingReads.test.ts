import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RequestStore } from '#src/requests/requestStore.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { StoredRequest } from '#src/requests/state/requestState.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import { nativeAddress, toAddress } from '#src/units/address.ts'
import { toChainId } from '#src/units/chainId.ts'
import { bytes, requestArbitrary } from '#test/support/arbitraries/requestArbitrary.ts'
import {
  depositArbitrary,
  stateArbitrary,
  transactionArbitrary,
} from '#test/support/arbitraries/trackingArbitrary.ts'
import { type StoreHome, storeHomes } from '#test/support/store/storeHome.ts'

const users = [nativeAddress, toAddress(`0x${'1'.repeat(40)}`)] as const
const user = fc.constantFrom(...users)
const chains = [1, 2].map(toChainId)
const chainId = fc.constantFrom(...chains)
const heights = [0n, 4n, 5n, 9n]
const height = fc.constantFrom(...heights)
const requestIds = ['1', '2'].map((digit): `0x${string}` => `0x${digit.repeat(64)}`)
const requestId = fc.option(fc.constantFrom(...requestIds), { nil: undefined })
const ids = (count: number) => fc.uniqueArray(bytes(32), { minLength: count, maxLength: count })

/** Drawn from few users, chains, times and heights, so that many rows match. */
const ofRequests = fc
  .tuple(
    ids(40),
    fc.array(
      fc.tuple(requestArbitrary, fc.option(stateArbitrary), user, chainId, chainId, fc.nat(3)),
      { minLength: 40, maxLength: 40 },
    ),
  )
  .map(([all, drawn]) =>
    drawn.map(([request, state, of, originChainId, destinationChainId, deadline], at) => ({
      quoted: {
        ...request,
        requestId: all[at] ?? '0x',
        user: of,
        originChainId,
        destinationChainId,
        deadline,
      },
      state: state && { ...state, seq: 1 },
    })),
  )

const ofDeposits = fc
  .tuple(
    ids(40),
    fc.array(fc.tuple(depositArbitrary, chainId, height, requestId), {
      minLength: 40,
      maxLength: 40,
    }),
  )
  .map(([all, drawn]) =>
    drawn.map(
      ([{ block, requestId: _, ...deposit }, chain, number, of], at): Deposit => ({
        ...deposit,
        depositId: all[at] ?? '',
        chainId: chain,
        ...(block && { block: { ...block, number } }),
        ...(of && { requestId: of }),
      }),
    ),
  )

const ofTransactions = fc
  .tuple(
    ids(40),
    fc.array(fc.tuple(transactionArbitrary, chainId, height, requestId, user), {
      minLength: 40,
      maxLength: 40,
    }),
  )
  .map(([all, drawn]) =>
    drawn.map(
      (
        [{ mined, requestId: _, ...transaction }, chain, number, of, account],
        nonce,
      ): SolverTransaction => ({
        ...transaction,
        transactionId: all[nonce] ?? '',
        chainId: chain,
        account,
        nonce,
        ...(mined && { mined: { ...mined, block: { ...mined.block, number } } }),
        ...(of && { requestId: of }),
      }),
    ),
  )

describe.each(storeHomes)('queries on %s', (_, createHome) => {
  let home: StoreHome
  let store: RequestStore
  beforeAll(async () => {
    home = await createHome()
    store = await home.open()
  })
  afterAll(async () => {
    await store?.close()
    await home?.remove()
  })

  it('find the matching requests', async () => {
    const stored: StoredRequest[] = []
    for (const { quoted, state } of fc.sample(ofRequests, 15).flat()) {
      await store.put(quoted)
      const put = (await store.find(quoted.requestId)) as StoredRequest
      if (state) await store.save({ requests: [{ ...put, state }] })
      stored.push(state ? { ...put, state, version: 2 } : put)
    }
    const agree = async (
      found: Promise<readonly StoredRequest[]>,
      is: (one: StoredRequest) => boolean,
    ) => {
      const expected = stored.filter(is)
      const got = await found
      expect(got.toSorted(byRequestId)).toStrictEqual(expected.toSorted(byRequestId))
      return expected.length
    }
    const found = { fillable: 0, pendingSwaps: 0, waitingSwaps: 0 }
    for (const chain of chains) {
      found.fillable += await agree(
        store.fillable(chain),
        ({ execution, destinationChainId, state }) =>
          execution === 'solver' &&
          destinationChainId === chain &&
          state.status === 'pending' &&
          state.refunds === undefined,
      )
      const isSwap = ({ execution, originChainId }: StoredRequest) =>
        execution === 'user' && originChainId === chain
      found.pendingSwaps += await agree(
        store.pendingSwaps(chain),
        (each) => isSwap(each) && each.state.status === 'pending',
      )
      for (const of of [[], users.slice(1), users])
        for (const now of [0, 2])
          found.waitingSwaps += await agree(
            store.waitingSwaps(chain, of, now),
            (each) =>
              isSwap(each) &&
              each.state.status === 'waiting' &&
              of.includes(each.user) &&
              each.deadline >= now,
          )
    }
    for (const count of Object.values(found)) expect(count).toBeGreaterThan(0)

    const some = stored.filter((__, at) => at % 3 === 0)
    const all = [...some.map((each) => each.requestId), `0x${'0'.repeat(64)}`, `"\\{},`]
    await agree(store.findAll(all), (each) => some.includes(each))
    await agree(store.findAll([]), () => false)
    const orders = some.flatMap((each) => (each.execution === 'solver' ? [each.orderId] : []))
    await agree(
      store.findByOrders(orders),
      (each) => each.execution === 'solver' && some.includes(each),
    )
    expect(await store.seqsOf(all)).toEqual(
      new Map(some.map((each) => [each.requestId, each.state.seq])),
    )
  })

  it('find the matching deposits, oldest first', async () => {
    const stored = fc
      .sample(ofDeposits, 5)
      .flat()
      .map((each) => ({ ...each, version: 1 }))
    expect(await store.save({ deposits: stored.map((each) => ({ ...each, version: 0 })) })).toBe(
      'saved',
    )
    const agree = async (found: Promise<readonly Deposit[]>, is: (one: Deposit) => boolean) => {
      const expected = stored.filter(is).toSorted(byAge)
      expect(expected.length).toBeGreaterThan(0)
      expect(await found).toStrictEqual(expected)
    }
    for (const chain of chains) {
      const isOn = (each: Deposit) => each.chainId === chain
      await agree(store.refundable(chain), (each) => isOn(each) && each.status === 'refundable')
      await agree(store.unsettled(chain), (each) => isOn(each) && each.status === 'filled')
      for (const number of heights)
        await agree(
          store.openDeposits(chain, number),
          (each) =>
            isOn(each) &&
            (each.status === 'seen' || each.block === undefined || each.block.number > number),
        )
    }
    for (const id of requestIds) await agree(store.depositsOf(id), (each) => each.requestId === id)
    const some = stored.filter((__, at) => at % 3 === 0)
    await agree(store.findDeposits([...some.map((each) => each.depositId), 'none']), (each) =>
      some.includes(each),
    )

    const removedDeposits = stored.slice(0, 5)
    expect(await store.save({ removedDeposits })).toBe('saved')
    expect(await store.save({ removedDeposits })).toBe('conflict')
    expect(await store.findDeposits(removedDeposits.map((each) => each.depositId))).toEqual([])
    await agree(
      store.findDeposits(stored.map((each) => each.depositId)),
      (each) => !removedDeposits.includes(each),
    )
  })

  it('find the matching transactions, in nonce order', async () => {
    const [drawn = []] = fc.sample(ofTransactions, 1)
    const stored = drawn.map((each) => ({ ...each, version: 1 }))
    expect(await store.save({ transactions: drawn })).toBe('saved')
    const agree = async (
      found: Promise<readonly SolverTransaction[]>,
      is: (one: SolverTransaction) => boolean,
    ) => {
      expect(await found).toStrictEqual(stored.filter(is))
    }
    for (const chain of chains) {
      for (const number of heights)
        await agree(
          store.openTransactions(chain, number),
          ({ chainId, status, mined }) =>
            chainId === chain &&
            (status === 'sent' || status === 'mined' || (mined?.block.number ?? 0n) > number),
        )
      for (const account of users) {
        const nonces = stored
          .filter((each) => each.chainId === chain && each.account === account)
          .map(({ nonce }) => nonce)
        expect(await store.lastNonce(chain, account)).toBe(
          nonces.length > 0 ? Math.max(...nonces) : undefined,
        )
      }
    }
    for (const id of requestIds)
      await agree(store.transactionsOf(id), (each) => each.requestId === id)
  })

  it('remove each hint once, oldest first', async () => {
    const [one, other] = chains
    const [txHash, requestId] = requestIds
    if (!one || !other || !txHash || !requestId) throw new Error('Too few')
    const hints = [requestId, txHash].map((hash) => ({ chainId: one, txHash: hash }))
    for (const hint of hints) await store.addHint(hint)
    // One hint per transaction is stored.
    await store.addHint({ chainId: one, txHash, requestId })
    await store.addHint({ chainId: other, txHash, requestId })
    expect(await store.takeHints(one)).toStrictEqual(hints)
    expect(await store.takeHints(one)).toStrictEqual([])
    expect(await store.takeHints(other)).toStrictEqual([{ chainId: other, txHash, requestId }])
  })
})

const byRequestId = (one: StoredRequest, other: StoredRequest) =>
  one.requestId < other.requestId ? -1 : 1

const byAge = (one: Deposit, other: Deposit) =>
  one.timestamp - other.timestamp ||
  Math.sign(heightOf(one) - heightOf(other)) ||
  (one.depositId < other.depositId ? -1 : 1)

/** Deposits without a block come last. */
const heightOf = ({ block }: Deposit) => Number(block?.number ?? 2n ** 64n)
