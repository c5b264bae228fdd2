import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { countAt } from '#src/chains/read/readTransaction.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { followFrom, reconcileNonces } from '#src/cli/reconcile/reconcile.ts'
import type { Address } from '#src/core/units/address.ts'
import { solver as solverKey } from '#src/devnet/accounts.ts'
import { isTerminal } from '#src/requests/state/requestState.ts'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'
import { sendUntilMined } from '#test/support/chains/sendUntilMined.ts'
import { acceptNonces } from '#test/support/rigs/acceptNonces.ts'
import {
  ethereum,
  patience,
  rollup,
  type SolverRig,
  startBridgingRig,
} from '#test/support/rigs/solverRig.ts'
import { useSolvers } from '#test/support/rigs/useSolvers.ts'
import { openEmptyStore } from '#test/support/store/emptyStore.ts'
import { losingStore } from '#test/support/store/losingStore.ts'
import { newAccount } from '#test/support/wallets/newAccount.ts'

let rig: SolverRig
beforeAll(async () => {
  rig = await startBridgingRig()
  rig.track()
})
afterAll(() => rig.stop())

const solve = useSolvers(() => rig)

const quoteOf = (change: { referrer?: string; refundTo?: Address } = {}): Promise<SolverRequest> =>
  rig.quote([ethereum, 'ETH'], [rollup, 'ETH'], {
    amount: 10n ** 17n,
    recipient: newAccount(),
    refundTo: newAccount(),
    disableOriginSwaps: true,
    ...change,
  })

const reconcile = (accept?: number) =>
  reconcileNonces(
    {
      store: rig.store,
      now: Date.now,
      countAt: (block) => countAt(rig.clientOn(rollup), rig.solverAddress, block),
    },
    { chainId: rollup, account: rig.solverAddress, ...(accept !== undefined && { accept }) },
  )

const filled = ({ recipient }: SolverRequest): Promise<bigint> =>
  rig.balanceOf(rig.currencyOf([rollup, 'ETH']), recipient)

/** Counts how often the solver has asked for the nonces of its account: twice a round. */
function countRounds(client: ChainClient) {
  let asks = 0
  const ask: ChainClient['ask'] = (request, ...rest) => {
    if (request.method === 'eth_getTransactionCount') asks += 1
    return client.ask(request, ...rest)
  }
  return { client: { ...client, ask }, rounds: () => Math.floor(asks / 2) }
}

it('stops the account at a nonce that the store does not have, until an operator accepts it', async () => {
  const account = privateKeyToAccount(solverKey.privateKey)
  const anvil = rig.wallet.clientOn(rollup)
  const nonce = await anvil.getTransactionCount(account)
  const fees = { maxFeePerGas: 10n ** 12n, maxPriorityFeePerGas: 10n ** 9n }
  const raw = await account.signTransaction({
    ...fees,
    type: 'eip1559',
    chainId: rollup,
    nonce,
    to: newAccount(),
    gas: 21_000n,
  })
  await sendUntilMined(anvil, [raw])
  const solver = solve(rollup)
  await vi.waitUntil(() => solver.status().unknownNonces === 1, patience)
  const quoted = await quoteOf()
  await rig.deposit(quoted)

  const found = { mined: nonce + 1, pending: nonce + 1, stored: nonce }
  expect(await reconcile()).toEqual({ ...found, outcome: 'unknown' })
  for (const wrong of [nonce, nonce + 2])
    await expect(reconcile(wrong)).rejects.toThrow(`The nonce ${wrong} is not accepted`)
  expect(await rig.store.transactionsOf(quoted.requestId)).toEqual([])
  expect(await reconcile(nonce + 1)).toEqual({ ...found, outcome: 'accepted' })
  expect((await rig.outcome(quoted.requestId)).state.status).toBe('success')
  expect(solver.status().unknownNonces).toBe(0)
  expect(await reconcile()).toMatchObject({ outcome: 'known' })
})

const acceptAll = () => acceptNonces(rig, rig.store, rollup)

/** The request once it has ended. Trackers read what others have stored every ten seconds of their clock. */
const ended = (requestId: string): Promise<SolverRequest> =>
  vi.waitFor(async () => {
    const { timestamp } = await rig.wallet.clientOn(rollup).getBlock()
    await rig.mineAt(rollup, timestamp + 1n, 1)
    const request = await rig.find(requestId)
    expect(isTerminal(request.state.status)).toBe(true)
    return request
  }, patience)

/** A deposit whose fill was sent and mined, and whose fill the store has lost. */
async function loseFill(quoted: SolverRequest): Promise<void> {
  const isFill = ({ purpose }: { purpose: string }) => purpose === 'fill'
  const primary = losingStore(rig.store, ({ transactions = [] }) => transactions.some(isFill))
  const limits = { ...rig.config.solver, forcesRefunds: false }
  const first = solve(rollup, { store: primary, limits })
  await rig.deposit(quoted)
  await vi.waitUntil(async () => (await filled(quoted)) > 0n, patience)
  await first.stop()
}

const depositOf = async ({ requestId }: SolverRequest) => (await rig.store.depositsOf(requestId))[0]

it('pays once if the database loses the commit of a fill that was sent', async () => {
  const quoted = await quoteOf()
  await loseFill(quoted)

  const { client, rounds } = countRounds(rig.clientOn(rollup))
  const second = solve(rollup, { client })
  await vi.waitUntil(
    async () => rounds() > 2 || isTerminal((await rig.find(quoted.requestId)).state.status),
    patience,
  )
  const gained = async () => (await filled(quoted)) - quoted.amountOut
  expect(await gained(), `the recipient gained ${await gained()} wei on top of the fill`).toBe(0n)
  expect(second.status().unknownNonces).toBe(1)

  await acceptAll()
  expect((await ended(quoted.requestId)).state).toMatchObject({ status: 'success' })
  expect(await gained()).toBe(0n)
  expect((await depositOf(quoted))?.status).toMatch(/filled|settl/)
  expect(second.status().unknownNonces).toBe(0)
})

it('does not refund a deposit whose fill the database has lost', async () => {
  const refundTo = newAccount()
  const quoted = await quoteOf({ referrer: 'debug-force-refund', refundTo })
  await loseFill(quoted)
  await acceptAll()

  solve(rollup)
  solve(ethereum)
  const { state } = await ended(quoted.requestId)
  const refunded = await rig.balanceOf(rig.currencyOf([ethereum, 'ETH']), refundTo)
  expect(refunded, `the depositor got ${refunded} wei back on top of the fill`).toBe(0n)
  expect(state).toMatchObject({ status: 'success' })
  expect((await depositOf(quoted))?.status).toMatch(/filled|settl/)
})

it('settles a deposit whose fill and whose request the database has lost', async () => {
  const refundTo = newAccount()
  const quoted = await quoteOf({ refundTo })
  await loseFill(quoted)
  await acceptAll()
  const deposit = await depositOf(quoted)
  if (deposit === undefined) throw new Error('There is no deposit')
  const refundable = { ...deposit, status: 'refundable', reason: 'UNKNOWN' } as const
  expect(await rig.store.save({ deposits: [refundable] })).toBe('saved')

  solve(ethereum, { store: { ...rig.store, findAll: async () => [] } })
  // A deposit for an unknown order counts once it is final.
  await rig.mineUntilFinal(ethereum)
  await vi.waitUntil(async () => (await depositOf(quoted))?.status !== 'refundable', patience)
  expect(await rig.balanceOf(rig.currencyOf([ethereum, 'ETH']), refundTo)).toBe(0n)
  await rig.passSettlement(ethereum)
  await vi.waitUntil(async () => (await depositOf(quoted))?.status === 'settled', patience)
})

it('does not fill a deposit whose refund the database has lost', async () => {
  const quoted = await quoteOf({ referrer: 'debug-force-refund' })
  // Refunds wait until all accepted transactions are final.
  await rig.mineUntilFinal(rollup)
  const heights = await Promise.all(
    [ethereum, rollup].map((id) => rig.wallet.clientOn(id).getBlockNumber()),
  )
  const solvers = [solve(ethereum), solve(rollup)]
  await rig.deposit(quoted)
  const { state } = await rig.outcome(quoted.requestId)
  expect(state.status).toBe('refund')
  await Promise.all(solvers.map(({ stop }) => stop()))
  const refunded = () => rig.balanceOf(rig.currencyOf([ethereum, 'ETH']), quoted.refundTo)
  const before = await refunded()

  const store = await openEmptyStore({ log: rig.log, bus: rig.bus })
  const { state: _, ...rest } = quoted
  await store.put(rest)
  for (const [at, chainId] of [ethereum, rollup].entries()) {
    await rig.mineUntilFinal(chainId)
    const deps = { client: rig.clientOn(chainId), store }
    await followFrom(deps, rig.chainOf(chainId), heights[at] ?? 0n)
  }
  await acceptNonces(rig, store, rollup)
  rig.track(store)
  const limits = { ...rig.config.solver, forcesRefunds: false }
  const { client, rounds } = countRounds(rig.clientOn(rollup))
  solve(rollup, { store, client, limits })
  const found = async () => {
    const request = await store.find(quoted.requestId)
    if (request === undefined) throw new Error('The request is lost')
    return request.state
  }
  await vi.waitUntil(async () => (await found()).status === 'pending', patience)
  // The transactions of the origin are unknown: the refund may still be under way.
  const since = rounds()
  await vi.waitUntil(() => rounds() > since + 3, patience)
  expect(await store.transactionsOf(quoted.requestId)).toEqual([])

  await acceptNonces(rig, store, ethereum)
  solve(ethereum, { store, limits })
  await vi.waitFor(async () => {
    for (const chainId of [ethereum, rollup]) await rig.mineUntilFinal(chainId)
    expect(isTerminal((await found()).status)).toBe(true)
  }, patience)
  const lost = await filled(quoted)
  expect(lost, `the recipient got ${lost} wei on top of the refund`).toBe(0n)
  expect((await found()).status).toBe('refund')
  expect(await refunded()).toBe(before)
})
