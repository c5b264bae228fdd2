import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { nativeAddress, toAddress } from '#src/core/units/address.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import {
  depositArbitrary,
  refundTimes,
  transactionArbitrary,
} from '#test/support/arbitraries/trackingArbitrary.ts'
import { bytes } from '#test/support/arbitraries/valueArbitrary.ts'
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

  it('find the matching deposits, oldest first', async () => {
    const stored = fc
      .sample(ofDeposits, 10)
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
      for (const now of refundTimes) {
        const all = await store.refundable(chain, now, { limit: 1_000 })
        await agree(
          Promise.resolve(all.toSorted(byAge)),
          ({ refundDueAt = 0, ...each }) =>
            each.chainId === chain && each.status === 'refundable' && refundDueAt <= now,
        )
        const [first, ...rest] = all
        expect(await store.refundable(chain, now, { limit: 1 })).toEqual([first])
        const after = { after: first?.depositId ?? '', limit: 1_000 }
        expect(await store.refundable(chain, now, after)).toEqual(rest)
      }
      await agree(store.unsettled(chain), (each) => isOn(each) && each.status === 'filled')
      const sums = new Map<string, bigint>()
      for (const { currency, amount, status } of stored.filter(isOn))
        if (['filled', 'settling'].includes(status))
          sums.set(currency, (sums.get(currency) ?? 0n) + amount)
      expect(await store.unsettledAmounts(chain)).toEqual(sums)
      const exits = stored.flatMap(({ record }) => record?.exitTime ?? [])
      const middle = exits.toSorted((one, other) => one - other)[exits.length >> 1] ?? 0
      await agree(
        store.nearExit(chain, middle),
        ({ status, record, block, ...each }) =>
          each.chainId === chain &&
          ['credited', 'filled', 'settling'].includes(status) &&
          block !== undefined &&
          record !== undefined &&
          record.exitTime < middle,
      )
      for (const number of heights)
        await agree(
          store.openDeposits(chain, number),
          (each) =>
            isOn(each) &&
            (each.status === 'seen' || each.block === undefined || each.block.number > number),
        )
    }
    for (const id of requestIds) await agree(store.depositsOf(id), (each) => each.requestId === id)
    const several = requestIds.slice(1)
    await agree(
      store.depositsOfAll(several),
      ({ requestId }) => requestId !== undefined && several.includes(requestId),
    )
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
        expect(await store.nextNonce(chain, account)).toBe(Math.max(-1, ...nonces) + 1)
      }
    }
    for (const id of requestIds)
      await agree(store.transactionsOf(id), (each) => each.requestId === id)
    const several = requestIds.slice(1)
    await agree(
      store.transactionsOfAll(several),
      ({ requestId }) => requestId !== undefined && several.includes(requestId),
    )
  })

  it('remove each hint once, oldest first', async () => {
    const [one, other] = chains
    const [txHash, requestId] = requestIds
    if (!one || !other || !txHash || !requestId) throw new Error('Too few')
    const hints = [
      { chainId: one, txHash: requestId },
      { chainId: one, txHash, caller: 'network:1' },
    ]
    for (const hint of hints) await store.addHint(hint)
    // One hint per transaction is stored.
    await store.addHint({ chainId: one, txHash, requestId })
    await store.addHint({ chainId: other, txHash, requestId })
    expect(await store.takeHints(one)).toStrictEqual(hints)
    expect(await store.takeHints(one)).toStrictEqual([])
    expect(await store.takeHints(other)).toStrictEqual([{ chainId: other, txHash, requestId }])
  })
})

const byAge = (one: Deposit, other: Deposit) =>
  one.timestamp - other.timestamp ||
  Math.sign(heightOf(one) - heightOf(other)) ||
  (one.depositId < other.depositId ? -1 : 1)

/** Deposits without a block come last. */
const heightOf = ({ block }: Deposit) => Number(block?.number ?? 2n ** 64n)

const [crowded, quiet] = [toChainId(1), toChainId(2)]
const hashOf = (at: number): `0x${string}` => `0x${at.toString(16).padStart(64, '0')}`

it.each(storeHomes)(
  'a chain without a tracker keeps 10,000 hints on %s: the client with the most makes room',
  async (_, createHome) => {
    const home = await createHome()
    onTestFinished(() => home.remove())
    // Makes the tables.
    await (await home.open()).close()
    await home.query(`insert into hints (chain_id, tx_hash, caller)
      select ${crowded}, '0x' || lpad(to_hex(at), 64, '0'), case when at % 4 = 0 then 'few' else 'many' end
      from generate_series(1, 10000) as at`)
    const store = await home.open()
    onTestFinished(() => store.close())
    for (const at of [10_001, 10_002])
      await store.addHint({ chainId: crowded, txHash: hashOf(at), caller: 'new' })
    await store.addHint({ chainId: crowded, txHash: hashOf(10_003) })
    await store.addHint({ chainId: quiet, txHash: hashOf(1) })
    const hints = await store.takeHints(crowded)
    const of = (name?: string) => hints.filter(({ caller }) => caller === name)
    expect([of('few'), of('many'), of('new'), of()].map((each) => each.length)).toEqual([
      ...[2_500, 7_497, 2, 1],
    ])
    // The three oldest ones of `many` are gone.
    expect(of('many')[0]?.txHash).toBe(hashOf(5))
    // A chain with room loses none.
    await store.addHint({ chainId: quiet, txHash: hashOf(2) })
    expect(await store.takeHints(quiet)).toHaveLength(2)
  },
)
