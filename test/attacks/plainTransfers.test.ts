import { concatHex, encodeFunctionData, erc20Abi } from 'viem'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { depositCurrencies } from '#src/config/config.ts'
import type { Market } from '#src/core/pricing/market.ts'
import { evmAddress, toAddress } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { evmHash } from '#src/core/units/txId.ts'
import { createContractKinds } from '#src/market/contracts/contractKinds.ts'
import { createGates } from '#src/market/reads/gatedAsk.ts'
import { recoverTransfers } from '#src/solver/deposits/recoverTransfers.ts'
import { makeFinal } from '#test/support/rigs/makeFinal.ts'
import {
  ethereum,
  patience,
  rollup,
  type SolverRig,
  startBridgingRig,
} from '#test/support/rigs/solverRig.ts'
import { useSolvers } from '#test/support/rigs/useSolvers.ts'
import { batchOf } from '#test/support/wallets/batchCalls.ts'
import { newAccount } from '#test/support/wallets/newAccount.ts'

let rig: SolverRig
beforeAll(async () => {
  rig = await startBridgingRig({ blockSeconds: 0.5 })
  rig.track()
})
afterAll(() => rig.stop())
const solve = useSolvers(() => rig)

/** Quotes this amount of USDC, and pays it by a plain transfer, even if the quote asks for another deposit. */
async function pay(amount: bigint) {
  const accounts = { recipient: newAccount(), refundTo: newAccount() }
  const quoted = await rig.quote([ethereum, 'USDC'], [rollup, 'USDC'], {
    amount,
    ...accounts,
    disableOriginSwaps: true,
  })
  const args = [rig.contractsOn(ethereum).depository, amount] as const
  const transfer = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
  const { transactionHash } = await rig.wallet.call(ethereum, {
    to: rig.currencyOf([ethereum, 'USDC']).address,
    data: concatHex([transfer, quoted.orderId]),
  })
  await makeFinal(rig, ethereum, async () => [transactionHash])
  return { ...quoted, ...accounts }
}

/** Sends USDC from a contract account to the depository, with the order id, within a batch. */
async function payByBatch(amount: bigint, orderId: `0x${string}`) {
  const account = toAddress(newAccount())
  const anvil = rig.wallet.clientOn(ethereum)
  const code = await anvil.getCode({ address: rig.chainOf(ethereum).multicall3 })
  await anvil.setCode({ address: account, bytecode: code ?? '0x' })
  const { address: to } = rig.currencyOf([ethereum, 'USDC'])
  const transferTo = (recipient: `0x${string}`) =>
    encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [recipient, amount] })
  await rig.wallet.call(ethereum, { to, data: transferTo(account) })
  const payment = concatHex([transferTo(rig.contractsOn(ethereum).depository), orderId])
  const { transactionHash } = await rig.wallet.call(ethereum, {
    to: account,
    data: batchOf([{ to: evmAddress(to), data: payment }]),
  })
  await makeFinal(rig, ethereum, async () => [transactionHash])
  return { account, txHash: transactionHash }
}

/** Runs the operator's command on the rig. */
function recover(txHash: `0x${string}`) {
  const [chain] = rig.config.chains
  const client = rig.clientOn(ethereum)
  if (chain === undefined) throw new Error('No chain is configured')
  const tracked = {
    chainId: ethereum,
    contracts: rig.contractsOn(ethereum),
    wrappedNative: chain.wrappedNative,
    depositCurrencies: depositCurrencies(rig.config, chain),
  }
  const contractKinds = createContractKinds(new Map([[ethereum, client]]), createGates([chain], 2))
  return recoverTransfers({ client, store: rig.store, contractKinds }, tracked, chain, txHash)
}

const usdcOf = (chainId: ChainId, holder: string) =>
  rig.balanceOf(rig.currencyOf([chainId, 'USDC']), holder)

const limit = 1_000_000_000n

it('fills plain transfers up to the limit, and refunds larger ones, because no record covers them', async () => {
  solve(ethereum)
  solve(rollup)
  const within = await pay(limit)
  expect((await rig.outcome(within.requestId)).state.status).toBe('success')
  expect(await usdcOf(rollup, within.recipient)).toBeGreaterThan((limit * 99n) / 100n)
  const above = await pay(limit + 1n)
  const { state } = await rig.outcome(above.requestId)
  expect(await usdcOf(rollup, above.recipient), 'the solver fills what it may never get').toBe(0n)
  expect(state).toMatchObject({ status: 'refund', failReason: 'SOLVER_CAPACITY_EXCEEDED' })
  expect(await usdcOf(ethereum, above.refundTo)).toBeGreaterThan((limit * 9n) / 10n)
})

it('recovers the transfer of a contract account, once: 900 USDC stayed in the depository for good', async () => {
  const amount = 900_000_000n
  const quoted = await rig.quote([ethereum, 'USDC'], [rollup, 'USDC'], {
    amount,
    disableOriginSwaps: true,
  })
  const { account, txHash } = await payByBatch(amount, quoted.orderId)
  solve(ethereum)
  solve(rollup)
  expect((await rig.find(quoted.requestId)).state.status).toBe('waiting')
  const [line] = await recover(txHash)
  expect(line).toContain(`the solver refunds ${amount} of`)
  await vi.waitUntil(async () => (await usdcOf(ethereum, account)) > 0n, patience)
  expect(await usdcOf(ethereum, account)).toBeGreaterThan((amount * 99n) / 100n)
  expect((await recover(txHash))[0]).toContain('is known already')
  const direct = await pay(amount)
  expect((await rig.outcome(direct.requestId)).state.status).toBe('success')
  const [deposit] = await rig.store.depositsOf(direct.requestId)
  await expect(recover(evmHash(deposit?.txHash ?? '0x'))).rejects.toThrow('is a plain deposit')
})

it('neither fills nor refunds a plain transfer without a price', async () => {
  let isPriced = false
  const withoutPrices = (market: Market): Market => ({
    ...market,
    chains: new Map(
      [...market.chains].map(([id, chain]) => [
        id,
        isPriced || id === rollup ? chain : { ...chain, usdPrices: new Map() },
      ]),
    ),
  })
  let snapshots = 0
  const market: SolverRig['market'] = {
    ...rig.market,
    snapshot: (chainIds) => {
      if (chainIds.includes(ethereum)) snapshots += 1
      return withoutPrices(rig.market.snapshot(chainIds))
    },
  }
  solve(ethereum)
  solve(rollup, { market })
  const { requestId } = await pay(limit + 1n)
  await vi.waitUntil(async () => (await rig.find(requestId)).state.status === 'pending', patience)
  const before = snapshots
  await rig.mine(rollup, 2)
  await vi.waitUntil(() => snapshots > before + 12, patience)
  expect(await rig.store.transactionsOf(requestId)).toEqual([])
  expect(await rig.store.depositsOf(requestId)).toMatchObject([{ status: 'credited' }])
  isPriced = true
  expect((await rig.outcome(requestId)).state.status).toBe('refund')
})
