import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toAddress } from '#src/core/units/address.ts'
import { type ChainId, toChainId } from '#src/core/units/chainId.ts'
import { createLocalBus, type Wakeup } from '#src/requests/events/bus.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { RequestStatus, StoredRequest } from '#src/requests/state/requestState.ts'
import {
  depositArbitrary,
  transactionArbitrary,
} from '#test/support/arbitraries/trackingArbitrary.ts'
import { quotedRequest } from '#test/support/fixtures/quotedRequest.ts'
import { type StoreHome, storeHomes } from '#test/support/store/storeHome.ts'

const replaced = toChainId(1)
const other = toChainId(2)
const third = toChainId(3)
const hash: `0x${string}` = `0x${'1'.repeat(64)}`

describe.each(storeHomes)('a chain with a new genesis, on %s', (_, createHome) => {
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

  /** Each payment has its own nonce. */
  let nonce = 0

  /** Puts a request with a deposit and a payment. */
  async function add(from: ChainId, to: ChainId, status: RequestStatus) {
    const requestId: `0x${string}` = `0x${randomBytes(32).toString('hex')}`
    await store.put({
      ...quotedRequest(requestId),
      originChainId: from,
      destinationChainId: to,
    })
    const put = (await store.find(requestId)) as StoredRequest
    const depositId = `${from}:${requestId}:0`
    const [drawn] = fc.sample(depositArbitrary, 1) as [Deposit]
    const deposit: Deposit = { ...drawn, depositId, chainId: from, requestId, status: 'credited' }
    nonce += 1
    const named = { transactionId: `fill:${requestId}`, chainId: to, requestId, nonce }
    const transactions = fc.sample(transactionArbitrary, 1).map((each) => ({ ...each, ...named }))
    const seq = status === 'waiting' ? 0 : 1
    const inputStates = [{ status: 'funded', depositId }] as const
    const request: StoredRequest = { ...put, state: { ...put.state, status, seq, inputStates } }
    const cursor = { chainId: from, genesis: hash, block: { number: 1n, hash } }
    const saved = await store.save({
      requests: [request],
      deposits: [deposit],
      transactions,
      cursor,
    })
    expect(saved).toBe('saved')
    return (await store.find(requestId)) as StoredRequest
  }
  it('fails multi-input requests with an input on it, though their first input is elsewhere', async () => {
    const requestId: `0x${string}` = `0x${randomBytes(32).toString('hex')}`
    const quoted = quotedRequest(requestId)
    if (quoted.execution !== 'solver') throw new Error('Not a request for the solver')
    const inputs = [other, replaced].flatMap((chainId) =>
      quoted.inputs.map((input) => ({ ...input, chainId })),
    )
    const funding = { depositDeadline: 1, partial: true }
    await store.put({
      ...quoted,
      inputs,
      funding,
      originChainId: other,
      destinationChainId: third,
    })
    const put = (await store.find(requestId)) as StoredRequest
    const state = { ...put.state, status: 'depositing', seq: 1 } as const
    expect(await store.save({ requests: [{ ...put, state }] })).toBe('saved')
    expect((await store.overdue(replaced, 2)).map((each) => each.requestId)).toEqual([requestId])
    expect(await store.overdue(replaced, 1)).toEqual([])
    expect(await store.overdue(third, 2)).toEqual([])
    const missed = { status: 'missed' } as const
    const decided = { ...state, seq: 2, inputStates: [{ status: 'open' }, missed] as const }
    expect(await store.save({ requests: [{ ...put, state: decided, version: 2 }] })).toBe('saved')
    expect(await store.overdue(replaced, 2)).toEqual([])
    expect(await store.overdue(other, 2)).toHaveLength(1)
    await store.forgetChain(replaced)
    expect((await store.find(requestId))?.state).toMatchObject({ status: 'failure', seq: 3 })
  })

  const depositOf = async ({ requestId }: StoredRequest) => (await store.depositsOf(requestId))[0]
  const paymentsOf = async ({ requestId }: StoredRequest) => store.transactionsOf(requestId)

  it('loses all its rows; its open requests fail, and their deposits elsewhere become refundable', async () => {
    const open = [
      await add(replaced, other, 'pending'),
      await add(other, replaced, 'submitted'),
      await add(replaced, replaced, 'pending'),
    ]
    const others = [
      await add(other, third, 'pending'),
      await add(replaced, other, 'success'),
      await add(other, replaced, 'waiting'),
    ]
    await store.addHint({ chainId: replaced, txHash: hash })
    received.length = 0
    await store.forgetChain(replaced)

    const failed = await Promise.all(open.map(({ requestId }) => store.find(requestId)))
    expect(failed).toEqual(
      open.map((request) => ({
        ...request,
        version: request.version + 1,
        state: {
          ...request.state,
          status: 'failure',
          failReason: 'UNKNOWN',
          seq: 2,
          updatedAt: expect.any(Number),
        },
      })),
    )
    const changes = failed.map((each) => ({ requestId: each?.requestId, state: each?.state }))
    expect(received).toHaveLength(3)
    expect(received).toEqual(
      expect.arrayContaining(changes.map((change) => ({ kind: 'change', change }))),
    )
    for (const request of others) expect(await store.find(request.requestId)).toStrictEqual(request)

    const deposits = await Promise.all([...open, ...others].map(depositOf))
    expect(deposits.map((each) => each?.status)).toEqual([
      undefined,
      'refundable',
      undefined,
      'credited',
      undefined,
      'credited',
    ])
    expect(deposits[1]).toMatchObject({ reason: 'UNKNOWN', version: 2 })
    const payments = await Promise.all([...open, ...others].map(paymentsOf))
    expect(payments.map((each) => each.length)).toEqual([1, 0, 0, 1, 1, 0])
    expect(await store.cursor(replaced)).toBeUndefined()
    expect(await store.cursor(other)).toBeDefined()
    expect(await store.takeHints(replaced)).toEqual([])
    await store.forgetChain(replaced)
    expect(received).toHaveLength(3)
  })

  it('counts the nonces that an operator has accepted, and never fewer, until it is forgotten', async () => {
    const account = toAddress(`0x${'2'.repeat(40)}`)
    const chain = replaced
    expect(await store.nextNonce(chain, account)).toBe(0)
    for (const nonce of [7, 5])
      await store.acceptNonce({ chainId: chain, account, nonce, acceptedAt: nonce })
    expect(await store.nextNonce(chain, account)).toBe(7)
    expect(await store.nextNonce(other, account)).toBe(0)
    const [drawn] = fc.sample(transactionArbitrary, 1)
    if (drawn === undefined) throw new Error('Too few')
    const stored = { ...drawn, transactionId: 'later', chainId: chain, account, nonce: 9 }
    expect(await store.save({ transactions: [{ ...stored, version: 0 }] })).toBe('saved')
    expect(await store.nextNonce(chain, account)).toBe(10)
    await store.forgetChain(chain)
    expect(await store.nextNonce(chain, account)).toBe(0)
  })
})
