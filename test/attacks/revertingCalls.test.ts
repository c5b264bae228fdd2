import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { type Address, evmAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { evmHash } from '#src/core/units/txId.ts'
import { isTerminal } from '#src/requests/state/requestState.ts'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'
import { makeFinal } from '#test/support/rigs/makeFinal.ts'
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
  rig = await startBridgingRig()
  rig.track()
})
afterAll(() => rig.stop())

const solve = useSolvers(() => rig)

const burnsAllGas = '0x5b600056'
const reverts = '0x5f5ffd'
const accepts = '0x00'

type Codes = Readonly<Record<Address, Hex>>

/** An account with the code of another by EIP-7702. */
const delegatesTo = (account: Address): Hex => `0xef0100${account.slice(2)}`

/**
 * A client on whose chain accounts have other code in blocks than before. Their code changes with each request that names
 * them.
 */
function turning(inSimulations: Codes, inBlocks: Codes): ChainClient {
  const client = rig.clientOn(ethereum)
  const anvil = rig.wallet.clientOn(ethereum)
  const codes: Record<string, Codes> = {
    eth_estimateGas: inSimulations,
    eth_getCode: inSimulations,
    eth_sendRawTransaction: inBlocks,
  }
  const ask: ChainClient['ask'] = async (request, ...rest) => {
    const text = JSON.stringify(request.params).toLowerCase()
    for (const [address, bytecode] of Object.entries(codes[request.method] ?? {}))
      if (text.includes(address.slice(2)))
        await anvil.setCode({ address: address as Address, bytecode })
    return client.ask(request, ...rest)
  }
  return { ...client, ask }
}

/** An order whose only call goes to `target`. Gas costs far more on the destination chain than on the origin chain. */
const quoteOf = (target: Address, recipient = newAccount()): Promise<SolverRequest> =>
  rig.quote([rollup, 'ETH'], [ethereum, 'ETH'], {
    amount: 10n ** 18n,
    recipient,
    refundTo: newAccount(),
    txs: [{ to: target, data: '0x', value: toAmount(0n) }],
  })

const transactionsOf = async ({ requestId }: SolverRequest, of: string) =>
  (await rig.store.transactionsOf(requestId)).filter(({ purpose }) => purpose === of)

/** Mines until the request has ended: each fill that reverts must be final before the next step. */
async function end(quoted: SolverRequest): Promise<SolverRequest> {
  const fills = () => transactionsOf(quoted, 'fill')
  for (let tries = 1; ; tries += 1) {
    await vi.waitUntil(async () => {
      // A refusal must last for a block.
      await rig.mine(ethereum, 1)
      const { status } = (await rig.find(quoted.requestId)).state
      return isTerminal(status) || (await fills()).length >= tries
    }, patience)
    const lastHashes = async () =>
      (await fills()).slice(tries - 1).flatMap(({ attempts }) => attempts.map(({ hash }) => hash))
    if ((await lastHashes()).length === 0) return rig.find(quoted.requestId)
    await makeFinal(rig, ethereum, lastHashes)
  }
}

const receivedBy = (chainId: ChainId, account: Address): Promise<bigint> =>
  rig.balanceOf(rig.currencyOf([chainId, 'ETH']), account)

/** The gas costs of the solver's transactions for a request. */
async function gasOf(quoted: SolverRequest): Promise<bigint> {
  const transactions = await rig.store.transactionsOf(quoted.requestId)
  let total = 0n
  for (const { chainId, attempts } of transactions)
    for (const { hash } of attempts) {
      const anvil = rig.wallet.clientOn(chainId)
      const receipt = await anvil
        .getTransactionReceipt({ hash: evmHash(hash) })
        .catch(() => undefined)
      total += (receipt?.gasUsed ?? 0n) * (receipt?.effectiveGasPrice ?? 0n)
    }
  return total
}

/** The solver's gain from a request: its deposit, less all payments and the gas of all attempts. */
async function profitOf(quoted: SolverRequest): Promise<bigint> {
  const [deposit] = await rig.store.depositsOf(quoted.requestId)
  const paid =
    (await receivedBy(ethereum, evmAddress(quoted.recipient))) +
    (await receivedBy(rollup, evmAddress(quoted.refundTo)))
  return (deposit?.amount ?? 0n) - paid - (await gasOf(quoted))
}

it('pays a recipient directly once the calls have reverted, less the cost of the revert', async () => {
  const target = newAccount()
  const quoted = await quoteOf(target)
  solve(ethereum, { client: turning({ [target]: '0x' }, { [target]: burnsAllGas }) })
  solve(rollup)
  await rig.deposit(quoted)
  const { state } = await end(quoted)
  expect(state).toMatchObject({ status: 'success', failReason: 'EXECUTION_REVERTED' })
  const [first, second, ...others] = await transactionsOf(quoted, 'fill')
  expect([first?.status, second?.status, others.length]).toEqual(['reverted', 'final', 0])
  expect(second?.transactionId).not.toBe(first?.transactionId)
  expect(state.txHashes).toEqual([second?.mined?.hash])
  const received = await receivedBy(ethereum, evmAddress(quoted.recipient))
  expect(received).toBe(quoted.amountOut - (first?.failedCost ?? 0n))
  expect(received).toBeGreaterThanOrEqual(quoted.minimumAmountOut)
  expect(await transactionsOf(quoted, 'refund')).toEqual([])
  expect(await rig.store.depositsOf(quoted.requestId)).toMatchObject([{ status: 'filled' }])
  expect(await profitOf(quoted)).toBeGreaterThanOrEqual(0n)
})

it('nobody gains by making their own calls or recipient revert', async () => {
  const [peaceful, burner] = [newAccount(), newAccount()]
  await rig.wallet.clientOn(ethereum).setCode({ address: burner, bytecode: burnsAllGas })
  const inSimulations: Record<Address, Hex> = {}
  const inBlocks: Record<Address, Hex> = {}
  const accountWith = ([simulated, mined]: readonly [Hex, Hex]): Address => {
    const account = newAccount()
    inSimulations[account] = simulated
    inBlocks[account] = mined
    return account
  }
  const burningCalls = ['0x', burnsAllGas] as const
  const revertingCalls = ['0x', reverts] as const
  const wallet = ['0x', '0x'] as const
  const delegating = ['0x', delegatesTo(burner)] as const
  const delegatingAnew = [delegatesTo(peaceful), delegatesTo(burner)] as const
  const deployed = ['0x', burnsAllGas] as const
  const contract = [accepts, accepts] as const
  const attacks = [
    { target: burningCalls, recipient: wallet, ends: ['success', 2] },
    { target: revertingCalls, recipient: wallet, ends: ['success', 2] },
    { target: burningCalls, recipient: delegating, ends: ['refund', 2] },
    { target: revertingCalls, recipient: delegatingAnew, ends: ['refund', 2] },
    { target: burningCalls, recipient: deployed, ends: ['refund', 2] },
    { target: burningCalls, recipient: contract, ends: ['refund', 1] },
  ] as const
  solve(ethereum, { client: turning(inSimulations, inBlocks) })
  solve(rollup)
  for (const { target, recipient, ends } of attacks) {
    const quoted = await quoteOf(accountWith(target), accountWith(recipient))
    await rig.deposit(quoted)
    const { state } = await end(quoted)
    expect(state.failReason).toBe('EXECUTION_REVERTED')
    expect([state.status, (await transactionsOf(quoted, 'fill')).length]).toEqual(ends)
    const profit = await profitOf(quoted)
    expect(profit, `the solver lost ${-profit} wei`).toBeGreaterThanOrEqual(0n)
  }
})
