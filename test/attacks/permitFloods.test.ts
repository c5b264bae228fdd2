import { encodeFunctionData, erc20Abi, type Hash, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { evmAddress, toAddress } from '#src/core/units/address.ts'
import { evmHash } from '#src/core/units/txId.ts'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'
import { defaultFinalityBlocks } from '#test/support/chains/pace.ts'
import { type payer as payerOf, signPayment } from '#test/support/rigs/signedPayment.ts'
import {
  ethereum,
  patience,
  rollup,
  type SolverRig,
  startBridgingRig,
} from '#test/support/rigs/solverRig.ts'
import { useSolvers } from '#test/support/rigs/useSolvers.ts'
import { newAccount } from '#test/support/wallets/newAccount.ts'

let rig: SolverRig
beforeAll(async () => {
  rig = await startBridgingRig({}, { finalityBlocks: defaultFinalityBlocks })
  rig.track()
  rig.solve(rollup)
})
afterAll(() => rig.stop())
const solve = useSolvers(() => rig)

const fifty = 50_000_000n
const usdc = () => rig.currencyOf([ethereum, 'USDC'])

/** A new account with 50 USDC, and ether for its own transactions. */
async function newPayer(): Promise<typeof payerOf> {
  const account = privateKeyToAccount(generatePrivateKey())
  const args = [account.address, fifty] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
  await rig.wallet.call(ethereum, { to: usdc().address, data })
  await rig.wallet.clientOn(ethereum).setBalance({ ...account, value: parseEther('1') })
  return account
}

/** Sends all USDC of an account elsewhere, ahead of the transactions that wait. Returns the hash. */
async function moveAway(account: typeof payerOf): Promise<Hash> {
  const anvil = rig.wallet.clientOn(ethereum)
  const args = [newAccount(), fifty] as const
  const serialized = await account.signTransaction({
    chainId: ethereum,
    to: evmAddress(usdc().address),
    gas: 100_000n,
    nonce: 0,
    type: 'eip1559',
    maxFeePerGas: parseEther('0.000001'),
    maxPriorityFeePerGas: parseEther('0.0000005'),
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args }),
  })
  return anvil.sendRawTransaction({ serializedTransaction: serialized })
}

const permitsOf = async (requests: readonly SolverRequest[]) => {
  const sent = await rig.store.transactionsOfAll(requests.map(({ requestId }) => requestId))
  return sent.filter(({ purpose }) => purpose === 'permit')
}

/** Waits until the solver has looked at each of the permits, since they were signed. */
async function looked(requests: readonly SolverRequest[]): Promise<void> {
  const found = () => Promise.all(requests.map(({ requestId }) => rig.store.findPermit(requestId)))
  await vi.waitUntil(
    async () => (await found()).every((permit) => permit === undefined || permit.version > 1),
    patience,
  )
}

/** The solver's transactions of these requests that have reverted in a block. */
async function reverted(requests: readonly SolverRequest[]): Promise<number> {
  const client = rig.wallet.clientOn(ethereum)
  const hashes = (await permitsOf(requests)).flatMap(({ attempts }) => attempts[0]?.hash ?? [])
  const receipts = await Promise.all(
    hashes.map((hash) => client.getTransactionReceipt({ hash: evmHash(hash) })),
  )
  return receipts.filter(({ status }) => status === 'reverted').length
}

it('many permits on one balance cost the solver no transaction that reverts', async () => {
  const account = await newPayer()
  const requests: SolverRequest[] = []
  for (let count = 0; count < 30; count += 1)
    requests.push((await signPayment(rig, { account })).request)
  await rig.suspendMining(ethereum, async () => {
    solve(ethereum)
    await looked(requests)
  })
  await rig.mine(ethereum, 2)
  await vi.waitUntil(async () => (await rig.balanceOf(usdc(), account.address)) === 0n, patience)
  expect(await reverted(requests), 'the solver paid the gas of 29 transactions that reverted').toBe(
    0,
  )
})

it('signatures whose balance has left are not simulated, and delay no other payment', async () => {
  const account = await newPayer()
  const stale: SolverRequest[] = []
  for (let count = 0; count < 80; count += 1)
    stale.push((await signPayment(rig, { account })).request)
  const hash = await moveAway(account)
  await rig.wallet.clientOn(ethereum).waitForTransactionReceipt({ hash })
  await rig.settled()
  const client = rig.clientOn(ethereum)
  const names = stale.map(({ requestId }) => requestId.slice(2))
  let simulations = 0
  const ask: ChainClient['ask'] = (request, ...rest) => {
    const [call] = request.params as readonly [Readonly<{ data?: string }>?]
    if (request.method === 'eth_estimateGas')
      if (names.some((name) => call?.data?.includes(name))) simulations += 1
    return client.ask(request, ...rest)
  }
  const { request: honest } = await signPayment(rig)
  solve(ethereum, { client: { ...client, ask } })
  await vi.waitUntil(async () => (await permitsOf([honest])).length > 0, patience)
  await looked(stale)
  expect(
    simulations,
    '80 signatures without money were simulated every five seconds, before the payments of others',
  ).toBe(0)
})

it('a payer whose permit reverted on chain is blocked, also after a restart', async () => {
  const account = await newPayer()
  const { request } = await signPayment(rig, { account })
  const { request: next } = await signPayment(rig, { account })
  const solver = await rig.suspendMining(ethereum, async () => {
    // It waits ahead of the solver's transaction, and no simulation on the newest block sees it.
    await moveAway(account)
    const started = solve(ethereum)
    await vi.waitUntil(async () => (await permitsOf([request, next])).length > 0, patience)
    return started
  })
  await rig.mine(ethereum, 2)
  expect(await reverted([request, next])).toBe(1)
  await rig.mineUntilFinal(ethereum)
  await vi.waitUntil(
    async () => (await permitsOf([request, next])).every(({ status }) => status === 'reverted'),
    patience,
  )
  await solver.stop()
  const args = [toAddress(account.address.toLowerCase()), fifty] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
  await rig.wallet.call(ethereum, { to: usdc().address, data })
  await rig.settled()
  await expect(
    signPayment(rig, { account }),
    'a payer whose permit reverted may cost the solver gas again at once',
  ).rejects.toThrow(/reverted on chain/)
  // The other signature of before has its money again, and is not sent either.
  const waits = (await permitsOf([request])).length > 0 ? next : request
  const before = (await rig.store.findPermit(waits.requestId))?.version ?? 0
  solve(ethereum, { now: () => Date.now() + 300_000 })
  await vi.waitUntil(
    async () => ((await rig.store.findPermit(waits.requestId))?.version ?? 0) > before,
    patience,
  )
  expect(await permitsOf([waits])).toEqual([])
})

it('a payer that has paid may have two permits under way, and both succeed', async () => {
  const account = await newPayer()
  const { request: first } = await signPayment(rig, { account })
  const solver = solve(ethereum)
  expect((await rig.outcome(first.requestId)).state.status).toBe('success')
  await solver.stop()
  const args = [account.address, 2n * fifty] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
  await rig.wallet.call(ethereum, { to: usdc().address, data })
  await rig.settled()
  const both = [await signPayment(rig, { account }), await signPayment(rig, { account })]
  const requests = both.map(({ request }) => request)
  await rig.suspendMining(ethereum, async () => {
    solve(ethereum)
    await vi.waitUntil(async () => (await permitsOf(requests)).length === 2, patience)
  })
  for (const { requestId } of requests)
    expect((await rig.outcome(requestId)).state.status).toBe('success')
  expect(await reverted(requests)).toBe(0)
})
