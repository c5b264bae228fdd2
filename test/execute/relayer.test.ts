import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { toAddress } from '#src/core/units/address.ts'
import { deployers, relayer as relayerKey } from '#src/devnet/accounts.ts'
import { depository } from '#src/protocol/contracts/artifacts/depository.ts'
import { checkRelayer } from '#src/solver/relayer/relayerRoles.ts'
import { mineAtUsualFee } from '#test/support/chains/sendUntilMined.ts'
import { allGasCode, burnerCode, counterCode } from '#test/support/fixtures/byteCodes.ts'
import { newSigner, signAuthorization } from '#test/support/fixtures/signAuthorization.ts'
import { killableProcess } from '#test/support/processes/killableProcess.ts'
import { useRelayer } from '#test/support/rigs/relayerRig.ts'
import {
  ethereum,
  patience,
  rollup,
  type SolverRig,
  startBridgingRig,
} from '#test/support/rigs/solverRig.ts'
import { batchOf } from '#test/support/wallets/batchCalls.ts'
import { newAccount } from '#test/support/wallets/newAccount.ts'

/** Blocks until one is final, and two more. */
const untilFinal = 67

let rig: SolverRig
beforeAll(async () => {
  rig = await startBridgingRig({ fillConfirmations: 2 })
  rig.track()
})
afterAll(() => rig.stop())

const { relay, operationsOf, execute, anvil, place, countOf, callOf, reaches } = useRelayer(
  () => rig,
)

it.each([
  { operations: 0, when: 'before' },
  { operations: 0, when: 'after' },
  { operations: 1, when: 'before' },
  { operations: 1, when: 'after' },
] as const)('sends a call once though the process is killed: %o', async (kill) => {
  const counter = await place(counterCode)
  const executed = await execute(counter)
  const killed = killableProcess({ store: rig.store, client: rig.clientOn(ethereum) }, kill)
  const first = relay(killed)
  await killed.killed
  await first.stop()
  relay()
  await reaches(executed, 'succeeded')
  expect(await countOf(counter)).toBe(1)
  const transactions = await rig.store.transactionsOf(executed.requestId)
  expect(transactions.map(({ status, attempts }) => [status, attempts.length])).toEqual([
    ['final', 1],
  ])
})

it('sends the same transaction again after a reorg, and charges what it has cost', async () => {
  const counter = await place(counterCode)
  relay()
  await rig.minePendingOnly(ethereum, async () => {
    const executed = await execute(counter)
    const reserved = (await callOf(executed)).chargedUsd
    await vi.waitUntil(async () => (await countOf(counter)) === 1, patience)
    const head = await anvil().getBlockNumber()
    await rig.reorg(ethereum, head)
    await vi.waitUntil(async () => {
      await rig.mine(ethereum, 1)
      return (await callOf(executed)).status === 'succeeded'
    }, patience)
    expect(await countOf(counter)).toBe(1)
    const { txHash = '0x', chargedUsd, maxCost } = await callOf(executed)
    const { gasUsed, effectiveGasPrice } = await anvil().getTransactionReceipt({ hash: txHash })
    const cost = gasUsed * effectiveGasPrice
    expect(chargedUsd).toBe((reserved * cost + maxCost - 1n) / maxCost)
    expect(chargedUsd).toBeLessThan(reserved)
  })
})

it('charges a call that burns its gas in the block after a good simulation, up to its limit', async () => {
  const trap = await place(counterCode)
  const executed = await execute(trap)
  const reserved = await callOf(executed)
  const sent = await anvil().getTransactionCount({ address: relayerKey.address })
  relay()
  await rig.suspendMining(ethereum, async () => {
    await reaches(executed, 'sent')
    // Somebody changes the state that the simulation has met.
    await anvil().setCode({ address: trap, bytecode: allGasCode })
  })
  await vi.waitUntil(
    async () => (await anvil().getTransactionCount({ address: relayerKey.address })) > sent,
    patience,
  )
  await rig.mine(ethereum, untilFinal)
  await reaches(executed, 'failed')
  const { chargedUsd, failReason, txHash = '0x' } = await callOf(executed)
  expect(failReason).toBe('TRANSACTION_REVERTED')
  const { gasUsed } = await anvil().getTransactionReceipt({ hash: txHash })
  expect(gasUsed).toBe(reserved.gas)
  expect(chargedUsd).toBeGreaterThan(0n)
  expect(chargedUsd).toBeLessThanOrEqual(reserved.chargedUsd)
})

it('does not send a call that now reverts or needs more gas, and charges nothing', async () => {
  const [failing, growing] = [await place(counterCode), await place(counterCode)]
  const executed = [await execute(failing), await execute(growing)]
  await anvil().setCode({ address: failing, bytecode: allGasCode })
  await anvil().setCode({ address: growing, bytecode: burnerCode(5_000) })
  const sent = await anvil().getTransactionCount({ address: relayerKey.address })
  // It is tried for half a minute.
  relay({ now: () => Date.now() + 30_000 })
  for (const each of executed) {
    await reaches(each, 'failed')
    expect(await callOf(each)).toMatchObject({ failReason: 'EXECUTION_REVERTED', chargedUsd: 0n })
  }
  expect(await anvil().getTransactionCount({ address: relayerKey.address })).toBe(sent)
})

it('raises the fee up to the amount reserved for the call, then cancels it', async () => {
  const counter = await place(counterCode)
  const executed = await execute(counter)
  const { gas, maxCost, callId } = await callOf(executed)
  const real = rig.clientOn(ethereum)
  const sent = await anvil().getTransactionCount({ address: relayerKey.address })
  let [later, isCutOff] = [0, true]
  // Nodes take what is sent, and forget it.
  const client: typeof real = {
    ...real,
    ask: (request, parse, signal) =>
      isCutOff && request.method === 'eth_sendRawTransaction'
        ? Promise.resolve(parse('0x'))
        : real.ask(request, parse, signal),
  }
  const relayer = relay({ client, now: () => Date.now() + later })
  await reaches(executed, 'sent')
  const attempts = async () => {
    const stored = await rig.store.transactionsOf(executed.requestId)
    expect(stored.map(({ transactionId }) => transactionId)).toEqual([`relayedCall:${callId}`])
    return stored.flatMap((each) => each.attempts)
  }
  /** Mines a block `ms` later, and waits until the relayer has processed it. */
  const passTime = async (ms: number) => {
    later += ms
    await rig.mine(ethereum, 1)
    const head = await anvil().getBlockNumber()
    await vi.waitUntil(() => (relayer.status().block ?? 0n) >= head, patience)
  }
  for (let seconds = 0; seconds < 500; seconds += 31) await passTime(31_000)
  const costs = (await attempts()).map(({ maxFeePerGas }) => maxFeePerGas * gas)
  expect(costs.length).toBeGreaterThan(3)
  for (const cost of costs) expect(cost).toBeLessThanOrEqual(maxCost)
  // The next one would have cost more.
  expect(((costs.at(-1) ?? 0n) * 9n) / 8n).toBeGreaterThan(maxCost)
  await passTime(120_000)
  await vi.waitUntil(async () => (await attempts()).length > costs.length, patience)
  // From now on a cancellation is what it sends.
  isCutOff = false
  await vi.waitUntil(
    async () => (await anvil().getTransactionCount({ address: relayerKey.address })) > sent,
    patience,
  )
  await rig.mine(ethereum, untilFinal)
  await reaches(executed, 'failed')
  expect(await callOf(executed)).toMatchObject({ failReason: 'TRANSACTION_NOT_INCLUDED' })
  expect(await countOf(counter)).toBe(0)
})

it('does not send a call whose authorization has become stale', async () => {
  const signer = newSigner()
  const address = toAddress(rig.chainOf(ethereum).multicall3)
  const { authority: _, ...signed } = await signAuthorization(signer, {
    chainId: ethereum,
    address,
    nonce: 0,
  })
  const executed = await execute(newAccount(), { authorizationList: [signed] })
  await anvil().setNonce({ address: signer.address, nonce: 1 })
  relay()
  expect(await reaches(executed, 'failed')).toMatchObject({
    failReason: 'INVALID_NONCE',
    chargedUsd: 0n,
  })
})

it('stays within the budget with many simultaneous calls, and after a restart', async () => {
  const counter = await place(counterCode)
  const before = await rig.store.gasChargedUsd('app', 0)
  const probe = await execute(counter)
  const each = (await callOf(probe)).chargedUsd
  // Room for two more, and not for three.
  const budget = before + each + (each * 5n) / 2n
  const limited = operationsOf(budget)
  const outcomes = await Promise.all(
    Array.from({ length: 8 }, () =>
      execute(counter, {}, limited).then(
        () => 'accepted',
        ({ code }) => code,
      ),
    ),
  )
  expect(outcomes.filter((outcome) => outcome === 'accepted')).toHaveLength(2)
  expect(new Set(outcomes)).toEqual(new Set(['accepted', 'GAS_BUDGET_EXCEEDED']))
  expect(await rig.store.gasChargedUsd('app', 0)).toBeLessThanOrEqual(budget)
  await expect(execute(counter, {}, operationsOf(budget))).rejects.toMatchObject({
    code: 'GAS_BUDGET_EXCEEDED',
  })
  relay()
  await reaches(probe, 'succeeded')
})

it('returns its request to waiting if the deposit fails', async () => {
  const [user, recipient] = [newSigner(), newAccount()]
  const account = toAddress(user.address)
  await rig.wallet.call(ethereum, {
    to: rig.currencyOf([ethereum, 'USDC']).address,
    data: encodeFunctionData({
      abi: erc20Abi,
      functionName: 'transfer',
      args: [account, 50_000_000n],
    }),
  })
  const quoted = await rig.quote([ethereum, 'USDC'], [rollup, 'USDC'], {
    amount: 50_000_000n,
    user: account,
    refundTo: account,
    recipient,
  })
  const { authority: _, ...signed } = await signAuthorization(user, {
    chainId: ethereum,
    address: toAddress(rig.chainOf(ethereum).multicall3),
    nonce: 0,
  })
  const data = batchOf(quoted.steps.flatMap(({ items }) => items.map(({ data }) => data)))
  const { requestId } = quoted
  await rig.settled()
  const input = { data, requestId, subsidizeFees: false, authorizationList: [signed] }
  await execute(account, input)
  expect((await rig.find(requestId)).state).toMatchObject({ status: 'depositing' })
  await expect(execute(newAccount(), { requestId })).rejects.toThrow('another call for it')
  await anvil().setNonce({ address: account, nonce: 1 })
  const relayer = relay()
  await reaches({ requestId }, 'failed')
  const { state } = await rig.find(requestId)
  expect([state.status, state.isSubmitted]).toEqual(['waiting', undefined])
  // The user signs again, and pays.
  const { authority: __, ...again } = await signAuthorization(user, {
    chainId: ethereum,
    address: toAddress(rig.chainOf(ethereum).multicall3),
    nonce: 1,
  })
  await execute(account, { ...input, authorizationList: [again] })
  await vi.waitUntil(async () => (await rig.find(requestId)).state.status === 'pending', patience)
  expect(relayer.status().failures).toBe(0)
})

it('sends nothing and does not start while a contract gives it rights', async () => {
  const { depository: address } = rig.contractsOn(ethereum)
  const { abi } = depository
  const owner = deployers.ethereum
  const setGuardian = (guardian: Hex) =>
    // Anvil unlocks the account.
    rig.suspendMining(ethereum, async () => {
      const data = encodeFunctionData({ abi, functionName: 'setGuardian', args: [guardian] })
      const maxFeePerGas = 10n ** 12n
      const fees = { maxFeePerGas, maxPriorityFeePerGas: 10n ** 9n, gas: 200_000n }
      await anvil().sendTransaction({ account: owner, to: address, data, chain: null, ...fees })
      await mineAtUsualFee(anvil())
    })
  const check = () =>
    checkRelayer(
      { log: rig.log, clients: new Map([[ethereum, rig.clientOn(ethereum)]]) },
      rig.config,
    )
  await check()
  const counter = await place(counterCode)
  const executed = await execute(counter)
  await setGuardian(relayerKey.address)
  await expect(check()).rejects.toThrow(/is guardian of the depository on/)
  const trusted = relay({ now: () => Date.now() + 600_000 })
  expect(await reaches(executed, 'failed')).toMatchObject({ chargedUsd: 0n })
  await trusted.stop()
  expect(await countOf(counter)).toBe(0)
  await setGuardian(owner)
  await check()
})
