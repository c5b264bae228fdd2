import { createWalletClient, type Hex, http, keccak256 } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { evmAddress, nativeAddress } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { solver as solverKey, users } from '#src/devnet/accounts.ts'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import { isCancellation } from '#src/requests/state/solverTransaction.ts'
import { defaultFinalityBlocks } from '#test/support/chains/pace.ts'
import { sendUntilMined } from '#test/support/chains/sendUntilMined.ts'
import { actBeforeCall } from '#test/support/nodes/actBeforeCall.ts'
import { makeFinal } from '#test/support/rigs/makeFinal.ts'
import {
  ethereum,
  patience,
  rollup,
  type SolverRig,
  startBridgingRig,
} from '#test/support/rigs/solverRig.ts'
import { useSolvers } from '#test/support/rigs/useSolvers.ts'
import { times } from '#test/support/runs.ts'
import { newAccount } from '#test/support/wallets/newAccount.ts'

let rig: SolverRig
beforeAll(async () => {
  rig = await startBridgingRig({ blockSeconds: 0.5 }, { finalityBlocks: defaultFinalityBlocks })
  rig.track()
})
afterAll(() => rig.stop())

const solve = useSolvers(() => rig)

const eth = (thousandths: bigint): bigint => thousandths * 10n ** 15n

const quoteOf = (): Promise<SolverRequest> =>
  rig.quote([ethereum, 'ETH'], [rollup, 'ETH'], {
    amount: eth(100n),
    recipient: newAccount(),
    refundTo: newAccount(),
    disableOriginSwaps: true,
  })

const paid = async ({ recipient, refundTo }: SolverRequest) => ({
  filled: await rig.balanceOf(rig.currencyOf([rollup, 'ETH']), recipient),
  refunded: await rig.balanceOf(rig.currencyOf([ethereum, 'ETH']), refundTo),
})

const fillsOf = async ({ requestId }: SolverRequest) =>
  (await rig.store.transactionsOf(requestId)).filter(({ purpose }) => purpose === 'fill')

/** Mines until the block of the quote's fill is final. */
const makeFillFinal = (quoted: SolverRequest): Promise<void> =>
  makeFinal(rig, rollup, async () =>
    (await fillsOf(quoted)).flatMap(({ attempts }) => attempts.map(({ hash }) => hash)),
  )

const notEmpty = <Value>(values: readonly Value[]) => values.length > 0 && values

type Running = ReturnType<typeof solve>

/** Mines a block and waits until the solver has processed it. */
async function mineInspected({ status }: Running, chainId: ChainId): Promise<void> {
  await rig.mine(chainId, 1)
  const head = await rig.wallet.clientOn(chainId).getBlockNumber()
  await vi.waitUntil(() => (status().block ?? 0n) >= head, patience)
}

/** Mines block by block, each after the solver has processed the previous one. */
async function mineUntil(solver: Running, isDone: () => Promise<boolean>): Promise<void> {
  while (!(await isDone())) await mineInspected(solver, rollup)
}

async function expectFilled(): Promise<void> {
  const quoted = await quoteOf()
  await rig.deposit(quoted)
  expect((await rig.outcome(quoted.requestId)).state.status).toBe('success')
  expect((await paid(quoted)).filled).toBe(quoted.amountOut)
}

/**
 * Makes the destination chain mine only if a transaction is pending. Empty blocks would make the solver raise the
 * fee of a transaction that a busy machine is slow to send.
 */
const withoutEmptyBlocks = (test: () => Promise<void>) => () => rig.minePendingOnly(rollup, test)

/** Bytecode of a recipient that reverts until a call with calldata enables payments. */
const takesOnceCalled = '0x36600c575f546011575f5ffd5b60015f555b00'

/** The receipt on the rollup, which mines a block for a transaction that waits. */
const minedReceipt = (hash: Hex) =>
  vi.waitUntil(async () => {
    const anvil = rig.wallet.clientOn(rollup)
    const sent = await anvil.getTransaction({ hash }).catch(() => undefined)
    if (sent?.blockHash === null) await rig.mine(rollup, 1)
    return anvil.getTransactionReceipt({ hash }).catch(() => undefined)
  }, patience)

it(
  'pays once if a reorg makes a reverted fill succeed',
  withoutEmptyBlocks(async () => {
    const anvil = rig.wallet.clientOn(rollup)
    const quoted = await quoteOf()
    // After the simulation and before the block, the recipient starts to revert until it is called.
    const client = actBeforeCall(rig.clientOn(rollup), () =>
      anvil.setCode({ address: evmAddress(quoted.recipient), bytecode: takesOnceCalled }),
    )
    const filling = solve(rollup, { client })
    const refunding = solve(ethereum)
    await rig.deposit(quoted)
    const [fill] = await vi.waitUntil(() => fillsOf(quoted).then(notEmpty), patience)
    const [{ hash, raw } = { hash: '0x', raw: '0x' }] = fill?.attempts ?? []
    const failed = await minedReceipt(hash as Hex)
    expect(failed.status).toBe('reverted')
    await rig.mine(rollup, 20)
    for (let block = 0; block < 2; block += 1) {
      await mineInspected(filling, rollup)
      await mineInspected(refunding, ethereum)
    }
    const [, caller] = users
    const call = await privateKeyToAccount(caller.privateKey).signTransaction({
      type: 'eip1559',
      chainId: rollup,
      to: evmAddress(quoted.recipient),
      data: '0x01',
      gas: 100_000n,
      maxFeePerGas: 10n ** 9n,
      maxPriorityFeePerGas: 10n ** 6n,
      nonce: await anvil.getTransactionCount(caller),
    })
    await rig.reorg(rollup, failed.blockNumber, [call, raw as Hex])
    await rig.outcome(quoted.requestId)
    await vi.waitFor(
      async () => expect((await paid(quoted)).filled).toBe(quoted.amountOut),
      patience,
    )
    expect(await paid(quoted)).toEqual({ filled: quoted.amountOut, refunded: 0n })
    expect((await rig.find(quoted.requestId)).state.status).toBe('success')
    expect(await fillsOf(quoted)).toMatchObject([{ status: 'final', attempts: [{ hash }] }])
  }),
)

/** A client whose node reports the latest block as final. */
const finalizeAtOnce = (client: ChainClient): ChainClient => ({
  ...client,
  ask: (request, parse, signal) => {
    const [tag, ...rest] = (request.params ?? []) as readonly unknown[]
    const isFinal = request.method === 'eth_getBlockByNumber' && tag === 'finalized'
    return client.ask(
      isFinal ? { ...request, params: ['latest', ...rest] } : request,
      parse,
      signal,
    )
  },
})

it('cancels the nonce of a reverted fill if a reorg removes a block that the node reported as final', async () => {
  const anvil = rig.wallet.clientOn(rollup)
  const quoted = await quoteOf()
  // After the simulation and before the block, the recipient starts to revert.
  const client = actBeforeCall(finalizeAtOnce(rig.clientOn(rollup)), () =>
    anvil.setCode({ address: evmAddress(quoted.recipient), bytecode: '0x5f5ffd' }),
  )
  const filling = solve(rollup, { client })
  solve(ethereum)
  const fillOf = async () => {
    const [fill, ...others] = await fillsOf(quoted)
    expect(others).toEqual([])
    if (fill === undefined) throw new Error('There is no fill')
    return fill
  }
  /** Waits until the fill has reverted in a different block from `before`. */
  const failedAgain = async (before: SolverTransaction) => {
    await mineUntil(filling, async () => {
      const { status, mined } = await fillOf()
      return (
        status === 'reverted' &&
        mined !== undefined &&
        mined.block.hash !== before.mined?.block.hash
      )
    })
    return fillOf()
  }
  await rig.minePendingOnly(rollup, async () => {
    await rig.deposit(quoted)
    await vi.waitUntil(() => fillsOf(quoted).then(notEmpty), patience)
    await mineUntil(filling, async () =>
      (await rig.store.depositsOf(quoted.requestId)).some(({ status }) => /^refund/.test(status)),
    )
    expect((await rig.outcome(quoted.requestId)).state.status).toBe('refund')
    const failed = await fillOf()
    expect(failed.status).toBe('reverted')

    await rig.reorg(rollup, failed.mined?.block.number ?? 0n)
    const cancelled = await failedAgain(failed)
    const kinds = cancelled.attempts.map((attempt) => isCancellation(cancelled, attempt))
    expect(kinds).toEqual([false, true])
    expect(cancelled.mined?.hash).toBe(cancelled.attempts[1]?.hash)
    expect((await paid(quoted)).filled).toBe(0n)
    expect((await rig.find(quoted.requestId)).state.status).toBe('refund')
    // A second reorg leads to the same cancellation.
    await rig.reorg(rollup, cancelled.mined?.block.number ?? 0n)
    expect((await failedAgain(cancelled)).attempts).toEqual(cancelled.attempts)
  })
  await expectFilled()
})

it('cancels a fill that the solver balance cannot cover, and refunds the request', async () => {
  const anvil = rig.wallet.clientOn(rollup)
  const account = { address: rig.solverAddress }
  const held = await anvil.getBalance(account)
  const client = actBeforeCall(rig.clientOn(rollup), () =>
    anvil.setBalance({ ...account, value: eth(20n) }),
  )
  solve(rollup, { client })
  solve(ethereum)
  const quoted = await quoteOf()
  await rig.deposit(quoted)
  await makeFillFinal(quoted)
  const { state } = await rig.outcome(quoted.requestId)
  expect([state.status, state.failReason]).toEqual(['refund', 'SOLVER_BALANCE_TOO_LOW'])
  const [fill, ...others] = await fillsOf(quoted)
  expect(others).toEqual([])
  expect(fill?.status).toBe('reverted')
  expect(fill && isCancellation(fill, fill.attempts.at(-1) ?? { raw: '0x' })).toBe(true)
  const { filled, refunded } = await paid(quoted)
  expect(filled).toBe(0n)
  expect(refunded).toBeGreaterThan(0n)
  await anvil.setBalance({ ...account, value: held })
  await rig.mine(rollup, 1)
  await vi.waitFor(
    () =>
      expect(rig.market.latest(rollup)?.solverBalances.get(nativeAddress)).toBeGreaterThan(
        eth(1000n),
      ),
    patience,
  )
  await expectFilled()
})

it('neither fills again nor refunds once a transaction that no node shows has used the nonce of a fill', async () => {
  const anvil = rig.wallet.clientOn(rollup)
  const chain = rig.config.chains.find(({ id }) => id === rollup)
  const account = privateKeyToAccount(solverKey.privateKey)
  const wallet = createWalletClient({ account, transport: http(chain?.rpcUrls[0]) })
  let other: `0x${string}` | undefined
  const client = actBeforeCall(rig.clientOn(rollup), async () => {
    const fees = { maxFeePerGas: 10n ** 12n, maxPriorityFeePerGas: 10n ** 11n }
    const raw = await wallet.signTransaction({
      ...fees,
      chainId: rollup,
      chain: null,
      to: account.address,
      gas: 21_000n,
      nonce: await anvil.getTransactionCount({ address: account.address }),
    })
    other = keccak256(raw)
    await sendUntilMined(anvil, [raw])
  })
  const solver = solve(rollup, { client })
  const quoted = await quoteOf()
  await rig.deposit(quoted)
  await vi.waitFor(async () => {
    if (other === undefined) throw new Error('Nothing was sent')
    await anvil.getTransactionReceipt({ hash: other })
  }, patience)
  for (let block = 0; block < 8; block += 1) await mineInspected(solver, rollup)
  expect(solver.status().unexplainedFills, 'before the nonce is final').toBe(0)
  // The nonce is final soon. The transaction that used it may have been an attempt that the store has lost.
  await rig.mineUntilFinal(rollup)
  for (let block = 0; block < 8; block += 1) await mineInspected(solver, rollup)
  expect(solver.status().unexplainedFills).toBe(1)
  expect((await fillsOf(quoted)).map(({ status }) => status)).toEqual(['sent'])
  expect((await rig.find(quoted.requestId)).state.status).toBe('submitted')
  expect(await paid(quoted)).toEqual({ filled: 0n, refunded: 0n })
})

it('pays once if two solvers run on one chain because one has not noticed that it lost leadership', async () => {
  for (const chainId of [rollup, rollup, ethereum, ethereum]) solve(chainId)
  const quotes: SolverRequest[] = []
  for (let at = 0; at < times(20, 8); at++) {
    const quoted = await quoteOf()
    await rig.deposit(quoted)
    quotes.push(quoted)
  }
  for (const quoted of quotes) {
    expect((await rig.outcome(quoted.requestId)).state.status).toBe('success')
    expect(await paid(quoted)).toEqual({ filled: quoted.amountOut, refunded: 0n })
  }
  const fills = (await Promise.all(quotes.map(fillsOf))).flat()
  expect(fills).toHaveLength(quotes.length)
  expect(new Set(fills.map(({ nonce }) => nonce)).size).toBe(quotes.length)
})
