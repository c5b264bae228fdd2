import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import type { Hash } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Address, evmAddress, toAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import { toUsd } from '#src/core/units/usd.ts'
import { createLocalBus } from '#src/requests/events/bus.ts'
import type { RelayedCall } from '#src/requests/relayedCall.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { RequestChange, StoredRequest } from '#src/requests/state/requestState.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import { quotedRequest } from '#test/support/fixtures/quotedRequest.ts'
import { runs } from '#test/support/runs.ts'
import { type StoreHome, storeHomes } from '#test/support/store/storeHome.ts'

const randomId = (): Hash => `0x${randomBytes(32).toString('hex')}`

/** One save: which requests it changes, and which deposit and nonce it includes. */
const save = fc.record({
  requests: fc.uniqueArray(fc.nat(2), { minLength: 1, maxLength: 3 }),
  deposit: fc.option(fc.nat(2), { nil: undefined }),
  nonce: fc.option(fc.nat(8), { nil: undefined }),
})

type Save = typeof save extends fc.Arbitrary<infer Of> ? Of : never

const writers = fc.array(fc.array(save, { minLength: 1, maxLength: 8 }), {
  minLength: 2,
  maxLength: 4,
})

describe.each(storeHomes)('concurrent writers of one store on %s', (_, createHome) => {
  let home: StoreHome
  let store: RequestStore
  const received: RequestChange[] = []
  beforeAll(async () => {
    home = await createHome()
    const bus = createLocalBus()
    bus.listen((wakeup) => wakeup.kind === 'change' && received.push(wakeup.change))
    store = await home.open({ bus })
  })
  afterAll(async () => {
    await store?.close()
    await home?.remove()
  })

  /** Reads the rows of the save, advances each once, and saves them. */
  async function run(ids: readonly Hash[], who: number, { requests, deposit, nonce }: Save) {
    const wanted = requests.map((at) => ids[at] as Hash)
    const found = await store.findAll(wanted)
    const stepped = found.map((request): StoredRequest => {
      const { seq } = request.state
      return { ...request, state: { ...request.state, seq: seq + 1, updatedAt: who } }
    })
    const depositId = `${ids[deposit ?? 0]}:0`
    const [known] = deposit === undefined ? [] : await store.findDeposits([depositId])
    const batch = {
      requests: stepped,
      deposits: deposit === undefined ? [] : [known ?? newDeposit(depositId, ids[0] as Hash)],
      transactions: nonce === undefined ? [] : [newTransaction(ids[0] as Hash, who, nonce)],
    }
    return { batch, outcome: await store.save(batch) }
  }

  it('save all or nothing: no change is lost or duplicated', async () => {
    await fc.assert(
      fc.asyncProperty(writers, async (plans) => {
        const ids = [randomId(), randomId(), randomId()]
        await Promise.all(ids.map((id) => store.put(quotedRequest(id))))
        received.length = 0
        const runs = await Promise.all(
          plans.map(async (saves, who) => {
            const own = []
            for (const each of saves) own.push(await run(ids, who, each))
            return own
          }),
        )
        const all = runs.flat()
        const saved = all.filter(({ outcome }) => outcome === 'saved').map(({ batch }) => batch)
        // The first save always succeeds.
        expect(saved.length).toBeGreaterThan(0)

        for (const [at, id] of ids.entries()) {
          const changes = await store.changesAfter(id, 0)
          expect(changes.map(({ state }) => state.seq)).toEqual(
            changes.map((__, place) => place + 1),
          )
          const states = saved
            .flatMap(({ requests }) => requests)
            .filter(({ requestId }) => requestId === id)
            .map(({ state }) => state)
            .toSorted((one, other) => one.seq - other.seq)
          expect(changes.map(({ state }) => state)).toEqual(states)
          expect(received.filter(({ requestId }) => requestId === id)).toEqual(changes)
          const request = await store.find(id)
          expect(request).toMatchObject({ version: states.length + 1, state: states.at(-1) ?? {} })

          const depositId = `${id}:0`
          const times = saved.filter(({ deposits }) => deposits[0]?.depositId === depositId).length
          const [deposit] = await store.findDeposits([depositId])
          expect([at, deposit?.version ?? 0]).toEqual([at, times])
        }
        const nonces = saved.flatMap(({ transactions }) => transactions.map(({ nonce }) => nonce))
        expect(new Set(nonces).size).toBe(nonces.length)
        const stored = await store.transactionsOf(ids[0] as Hash)
        expect(stored.map(({ nonce }) => nonce)).toEqual(nonces.toSorted((a, b) => a - b))
      }),
      { numRuns: runs(30, 12) },
    )
  })

  it('never let the exposure of a chain exceed its limit together', async () => {
    const chainId = toChainId(77)
    const exposed = (usd: bigint): Deposit => {
      const id = randomId()
      return { ...newDeposit(`${id}:0`, id), chainId, exposure: { usd: toUsd(usd), height: 5n } }
    }
    const saveExposed = (deposits: readonly Deposit[]) =>
      store.save({ deposits, exposureLimits: [{ chainId, maxUsd: toUsd(100n) }] })
    const outcomes = await Promise.all([60n, 60n, 60n].map((usd) => saveExposed([exposed(usd)])))
    expect(outcomes.toSorted()).toEqual(['conflict', 'conflict', 'saved'])
    expect(await saveExposed([exposed(40n)])).toBe('saved')
    expect(await saveExposed([exposed(1n)])).toBe('conflict')
    expect(await store.exposureUsd(chainId)).toBe(100n)

    const [first] = await store.exposedDeposits(chainId, 1)
    if (first === undefined) throw new Error('Two deposits are exposed')
    const { exposure, ...final } = first
    expect(await store.save({ deposits: [final] })).toBe('saved')
    expect(await store.exposureUsd(chainId)).toBe(100n - (exposure?.usd ?? 0n))
    expect(await store.exposureUsd(toChainId(78))).toBe(0n)
  })

  it('never let the exposure of a payer exceed its limit together', async () => {
    const chainId = toChainId(79)
    const [payer, other] = ['1', '2'].map((digit) => toAddress(`0x${digit.repeat(40)}`))
    if (payer === undefined || other === undefined) throw new Error('There are two')
    const expose = (depositor: Address, usd: bigint) => {
      const id = randomId()
      const exposure = { usd: toUsd(usd), height: 5n }
      const deposit = { ...newDeposit(`${id}:0`, id), depositor, chainId, exposure }
      const payers = { addresses: [depositor], maxUsd: toUsd(40n) }
      return store.save({
        deposits: [deposit],
        exposureLimits: [{ chainId, maxUsd: toUsd(100n), payers }],
      })
    }
    const outcomes = await Promise.all([30n, 30n, 30n].map((usd) => expose(payer, usd)))
    expect(outcomes.toSorted()).toEqual(['conflict', 'conflict', 'saved'])
    expect(await expose(payer, 11n)).toBe('conflict')
    expect(await expose(payer, 10n)).toBe('saved')
    expect(await expose(other, 40n)).toBe('saved')
    expect(await store.exposureByPayer(chainId)).toEqual(
      new Map([
        [payer, 40n],
        [other, 40n],
      ]),
    )
  })

  it('never let an API key spend the last of its gas budget twice', async () => {
    const apiKey = `key ${randomId()}`
    const call = (usd: bigint, change: Partial<RelayedCall> = {}) => {
      const requestId = randomId()
      return { ...newCall(requestId, usd), apiKey, ...change }
    }
    const charge = (relayedCall: RelayedCall) =>
      store.save({
        relayedCalls: [relayedCall],
        gasBudgets: [{ apiKey, since: 10, maxUsd: toUsd(100n) }],
      })
    // Those of another day, and of another key, do not count.
    expect(await charge(call(100n, { createdAt: 9 }))).toBe('saved')
    await store.save({ relayedCalls: [call(100n, { apiKey: `${apiKey} too` })] })
    const outcomes = await Promise.all([60n, 60n, 60n].map((usd) => charge(call(usd))))
    expect(outcomes.toSorted()).toEqual(['conflict', 'conflict', 'saved'])
    expect(await charge(call(40n))).toBe('saved')
    expect(await charge(call(1n))).toBe('conflict')
    expect(await store.gasChargedUsd(apiKey, 10)).toBe(100n)
  })
})

const { user, originCurrency, originChainId } = quotedRequest(randomId())

const newDeposit = (depositId: string, hash: Hash): Deposit => ({
  depositId,
  chainId: originChainId,
  txHash: hash,
  timestamp: 1,
  orderId: hash,
  depositor: evmAddress(user),
  currency: evmAddress(originCurrency),
  amount: toAmount(1n),
  status: 'seen',
  version: 0,
})

/** Transactions with the same nonce have different ids, so that only the nonce conflicts. */
const newTransaction = (requestId: Hash, who: number, nonce: number): SolverTransaction => ({
  transactionId: `${requestId}:${who}:${nonce}`,
  purpose: 'fill',
  chainId: originChainId,
  // Each run has its own account.
  account: toAddress(requestId.slice(0, 42)),
  nonce,
  requestId,
  depositIds: [],
  spends: [],
  attempts: [],
  status: 'sent',
  createdAt: 1,
  version: 0,
})

const newCall = (requestId: Hash, usd: bigint): RelayedCall => ({
  callId: requestId,
  requestId,
  chainId: originChainId,
  relayer: evmAddress(user),
  apiKey: 'app',
  isQuoted: false,
  call: { to: evmAddress(user), data: '0x' },
  gas: 21_000n,
  maxCost: 1n,
  chargedUsd: toUsd(usd),
  status: 'queued',
  dueAt: 10,
  createdAt: 10,
  updatedAt: 10,
  version: 0,
})
