import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { evmAddress } from '#src/core/units/address.ts'
import { createLocalBus, type Wakeup } from '#src/requests/events/bus.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { StoredRequest } from '#src/requests/state/requestState.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import { requestArbitrary } from '#test/support/arbitraries/requestArbitrary.ts'
import {
  cursorArbitrary,
  depositArbitrary,
  stateArbitrary,
  transactionArbitrary,
} from '#test/support/arbitraries/trackingArbitrary.ts'
import { quotedRequest } from '#test/support/fixtures/quotedRequest.ts'
import { runs } from '#test/support/runs.ts'
import { type StoreHome, storeHomes } from '#test/support/store/storeHome.ts'

const randomId = (): `0x${string}` => `0x${randomBytes(32).toString('hex')}`

describe.each(storeHomes)('a batch saved on %s', (_, createHome) => {
  let home: StoreHome
  let store: RequestStore
  const received: Wakeup[] = []
  beforeAll(async () => {
    home = await createHome()
    const bus = createLocalBus()
    bus.listen((wakeup) => received.push(wakeup))
    store = await home.open({ bus })
  })
  afterAll(async () => {
    await store?.close()
    await home?.remove()
  })

  it('returns the saved rows, with the next version', async () => {
    await fc.assert(
      fc.asyncProperty(drawn, async ({ quoted, states, deposits, transactions, cursor }) => {
        const requestId = randomId()
        await store.put({ ...quoted, requestId })
        for (const [version, drawnState] of states.entries()) {
          const seq = version + 1
          const of = { requestId, version }
          const request: StoredRequest = {
            ...quoted,
            ...of,
            state: { ...drawnState, seq },
            version: seq,
          }
          // Each save has other, shorter rows: nothing of the previous one may remain.
          const batch = {
            requests: [request],
            deposits: deposits.map((each, at): Deposit => {
              const deposit = { ...each, ...of, depositId: `${requestId}:${at}` }
              return version % 2 === 0 ? deposit : withoutOptions(deposit)
            }),
            transactions: transactions.map((each, at): SolverTransaction => {
              const transactionId = `${requestId}:${at}`
              return { ...each, ...of, transactionId, account: evmAddress(quoted.user), nonce: at }
            }),
            cursor,
          }
          expect(await store.save(batch)).toBe('saved')
          expect(await store.find(requestId)).toStrictEqual({ ...request, version: seq + 1 })
          const ids = batch.deposits.map(({ depositId }) => depositId)
          expect((await store.findDeposits(ids)).toSorted(byId)).toStrictEqual(
            batch.deposits.map(next),
          )
          expect(await store.transactionsOf(requestId)).toStrictEqual(batch.transactions.map(next))
          expect(await store.cursor(cursor.chainId)).toStrictEqual(cursor)
        }
        const changes = states.map((state, at) => ({ requestId, state: { ...state, seq: at + 1 } }))
        expect(await store.changesAfter(requestId, 0)).toStrictEqual(changes)
        expect(await store.changesAfter(requestId, 1)).toStrictEqual(changes.slice(1))
        expect(received.splice(0)).toStrictEqual(
          changes.map((change) => ({ kind: 'change', change })),
        )
      }),
      { numRuns: runs(50, 20) },
    )
  })

  it('stores and publishes each state of a request that passes through several', async () => {
    const requestId = randomId()
    await store.put(quotedRequest(requestId))
    const request = (await store.find(requestId)) as StoredRequest
    const states = [1, 2, 3].map((seq) => ({ ...request.state, seq }))
    const requests = states.map((state) => ({ ...request, state }))
    expect(await store.save({ requests })).toBe('saved')
    const changes = states.map((state) => ({ requestId, state }))
    expect(await store.changesAfter(requestId, 0)).toStrictEqual(changes)
    expect(received.splice(0)).toStrictEqual(changes.map((change) => ({ kind: 'change', change })))
    expect(await store.find(requestId)).toStrictEqual({ ...requests[2], version: 2 })

    // A save with the same seq is not a change.
    const inputStates = [{ status: 'funded', depositId: 'one' }] as const
    const funded = { ...request, state: { ...request.state, seq: 3, inputStates } }
    expect(await store.save({ requests: [{ ...funded, version: 2 }] })).toBe('saved')
    expect(await store.find(requestId)).toStrictEqual({ ...funded, version: 3 })
    expect(await store.changesAfter(requestId, 0)).toHaveLength(3)
    expect(received).toEqual([])
  })
})

const drawn = fc.record({
  quoted: requestArbitrary,
  states: fc.array(stateArbitrary, { minLength: 1, maxLength: 3 }),
  deposits: fc.array(depositArbitrary, { maxLength: 3 }),
  transactions: fc.array(transactionArbitrary, { maxLength: 3 }),
  cursor: cursorArbitrary,
})

const next = <Entity extends { version: number }>(entity: Entity) => ({
  ...entity,
  version: entity.version + 1,
})

const byId = (one: Deposit, other: Deposit) => (one.depositId < other.depositId ? -1 : 1)

const withoutOptions = ({
  block: _,
  reason: __,
  refundFailReason: ___,
  ...deposit
}: Deposit): Deposit => deposit
