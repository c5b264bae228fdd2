import { parseAbi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { evmAddress } from '#src/core/units/address.ts'
import { toBps } from '#src/core/units/bps.ts'
import { users } from '#src/devnet/accounts.ts'
import { depository as depositoryArtifact } from '#src/protocol/contracts/artifacts/depository.ts'
import { permitsIn } from '#src/protocol/permits/permitCall.ts'
import { typedDataOf } from '#src/protocol/permits/typedData.ts'
import { recordIdIn } from '#src/requests/state/deposit.ts'
import { executePermit } from '#src/service/permits/executePermit.ts'
import {
  ethereum,
  patience,
  rollup,
  type SolverRig,
  startSolverRig,
} from '#test/support/rigs/solverRig.ts'
import { newAccount } from '#test/support/wallets/newAccount.ts'

let rig: SolverRig
beforeAll(async () => {
  rig = await startSolverRig(
    {},
    {
      pools: [{ version: 3, pair: ['USDC', 'DAI'], fee: 100, depthUsd: 9_000_000n, state: 'live' }],
    },
  )
  rig.track()
  rig.solve(ethereum)
  rig.solve(rollup)
})
afterAll(() => rig.stop())

const account = privateKeyToAccount(users[0].privateKey)
const reservedAbi = parseAbi(['function reserved(address) view returns (uint256)'])

/** The costs of the solver's transactions on a chain since a block, in wei. */
async function gasSince(block: bigint): Promise<bigint> {
  const client = rig.wallet.clientOn(ethereum)
  let cost = 0n
  for (let number = block + 1n; number <= (await client.getBlockNumber()); number++) {
    const { transactions } = await client.getBlock({
      blockNumber: number,
      includeTransactions: true,
    })
    for (const { hash, from } of transactions) {
      if (from.toLowerCase() !== rig.solverAddress) continue
      const { gasUsed, effectiveGasPrice } = await client.getTransactionReceipt({ hash })
      cost += gasUsed * effectiveGasPrice
    }
  }
  return cost
}

it('a permit with a swap on the origin chain adds up to the wei: user, depository, app, solver and recipient', async () => {
  const anvil = rig.wallet.clientOn(ethereum)
  const [recipient, app] = [newAccount(), newAccount()]
  const { depository, router, approvalProxy } = rig.contractsOn(ethereum)
  const at = {
    dai: rig.currencyOf([ethereum, 'DAI']),
    usdc: rig.currencyOf([ethereum, 'USDC']),
    ether: rig.currencyOf([ethereum, 'ETH']),
    paid: rig.currencyOf([rollup, 'USDC']),
  }
  const reserved = () =>
    anvil.readContract({
      address: depository,
      abi: reservedAbi,
      functionName: 'reserved',
      args: [evmAddress(at.usdc.address)],
    })
  const readAll = async () => ({
    user: await rig.balanceOf(at.dai, account.address),
    userEther: await rig.balanceOf(at.ether, account.address),
    solverUsdc: await rig.balanceOf(at.usdc, rig.solverAddress),
    solverEther: await rig.balanceOf(at.ether, rig.solverAddress),
    solverPaid: await rig.balanceOf(at.paid, rig.solverAddress),
    depository: await rig.balanceOf(at.usdc, depository),
    reserved: await reserved(),
  })
  const amount = 500n * 10n ** 18n
  const quoted = await rig.quote([ethereum, 'DAI'], [rollup, 'USDC'], {
    amount,
    recipient,
    permit: { kind: 'eip2612' },
    appFees: [{ recipient: app, fee: toBps(50n) }],
    // No swap on the destination chain: so DAI is swapped before the deposit.
    swapSources: {
      origin: { excluded: new Set() },
      destination: { included: new Set(['none']), excluded: new Set() },
    },
  })
  const { requestId } = quoted
  // Another trade moves the pool between quote and deposit: the deposit is not the quoted one.
  await rig.swap([ethereum, 'DAI'], [ethereum, 'USDC'], {
    amount: 20_000n * 10n ** 18n,
    user: users[0].address,
  })
  const before = await readAll()
  const block = await anvil.getBlockNumber()
  const permits = permitsIn(quoted.steps)
  if (permits?.allowance === undefined) throw new Error('The quote asks for no allowance')
  for (const permit of [permits.allowance, permits.paying]) {
    const { value: message, ...data } = typedDataOf(permit)
    const signature = await account.signTypedData({ ...data, message } as never)
    const deps = { requests: rig.store, market: rig.market, now: Date.now }
    await executePermit(deps, { requestId, kind: permit.kind, signature })
  }
  const { state } = await rig.outcome(requestId)
  expect(state.status).toBe('success')

  const [deposit, ...others] = await rig.store.depositsOf(requestId)
  if (deposit === undefined) throw new Error('There is no deposit')
  expect(others).toEqual([])
  const [input] = quoted.inputs
  const ordered = input?.depositAmount ?? 0n
  expect(deposit.amount).toBeLessThan(ordered)
  const filled = await readAll()
  // The user has paid the input and no gas; nothing is left on the way.
  expect(before.user - filled.user).toBe(amount)
  expect(filled.userEther).toBe(before.userEther)
  for (const holder of [router, approvalProxy])
    for (const currency of [at.dai, at.usdc]) expect(await rig.balanceOf(currency, holder)).toBe(0n)
  // The depository owes all of the deposit, to its record.
  expect(filled.reserved - before.reserved).toBe(deposit.amount)
  expect(filled.depository - before.depository).toBe(deposit.amount)
  const [owed] = await anvil.readContract({
    address: depository,
    abi: depositoryArtifact.abi,
    functionName: 'records',
    args: [recordIdIn(deposit)],
  })
  expect(owed).toBe(deposit.amount)
  // The recipient has what left the solver, which is what the stored fill says.
  const transactions = await rig.store.transactionsOf(requestId)
  const [spend] = transactions.find(({ purpose }) => purpose === 'fill')?.spends ?? []
  const received = await rig.balanceOf(at.paid, recipient)
  expect(received).toBe(spend?.amount)
  expect(before.solverPaid - filled.solverPaid).toBe(received)
  // The shortfall of the deposit is that of the recipient: no deposit pays for another.
  expect(quoted.amountOut - received).toBe(ordered - deposit.amount)

  await rig.passSettlement(ethereum)
  const statusOf = async () => (await rig.store.depositsOf(requestId))[0]?.status
  await vi.waitUntil(async () => (await statusOf()) === 'settled', patience)
  const settled = await readAll()
  const fee = await rig.balanceOf(at.usdc, app)
  const most = quoted.order.fees.find((each) => each.recipient === app)?.amount ?? 0n
  expect(fee).toBe((most * deposit.amount) / ordered)
  expect(fee).toBeGreaterThan(0n)
  expect(settled.solverUsdc - before.solverUsdc).toBe(deposit.amount - fee)
  expect([settled.depository, settled.reserved]).toEqual([before.depository, before.reserved])
  // The solver has paid the gas, and earns what was charged for it.
  expect(before.solverEther - settled.solverEther).toBe(await gasSince(block))
  const hashes = transactions.flatMap(({ attempts }) => attempts.map(({ hash }) => hash))
  expect(hashes).toContain(state.inTxHashes[0])
})
