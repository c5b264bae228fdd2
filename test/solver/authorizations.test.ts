import { pino } from 'pino'
import {
  encodeFunctionData,
  type Hex,
  type PrivateKeyAccount,
  parseAbi,
  parseTransaction,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type Address, nativeAddress, toAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import type { Authorization } from '#src/core/units/authorization.ts'
import { evmHash } from '#src/core/units/txId.ts'
import { users } from '#src/devnet/accounts.ts'
import type { Batch } from '#src/requests/requestStore.ts'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'
import { createRestoreFill } from '#src/solver/fills/fillChecks.ts'
import { defaultFinalityBlocks } from '#test/support/chains/pace.ts'
import { sendUntilMined } from '#test/support/chains/sendUntilMined.ts'
import { newSigner, signAuthorization } from '#test/support/fixtures/signAuthorization.ts'
import {
  ethereum,
  patience,
  rollup,
  type SolverRig,
  startBridgingRig,
} from '#test/support/rigs/solverRig.ts'
import { useSolvers } from '#test/support/rigs/useSolvers.ts'
import { partialStore } from '#test/support/store/partialStore.ts'
import { newAccount } from '#test/support/wallets/newAccount.ts'

let rig: SolverRig
beforeAll(async () => {
  // A mined fill needs two confirmations, so that a reorg can remove it.
  rig = await startBridgingRig({ fillConfirmations: 2 }, { finalityBlocks: defaultFinalityBlocks })
  rig.track()
})
afterAll(() => rig.stop())

const solve = useSolvers(() => rig)

const stranger = privateKeyToAccount(users[1].privateKey)
const [whole, part] = [10n ** 18n, 10n ** 17n]
const multicall = parseAbi([
  'struct Call3Value { address target; bool allowFailure; uint256 value; bytes callData; }',
  'function aggregate3Value(Call3Value[] calls) payable',
])

/** The code to which accounts delegate: Multicall3, which makes the calls of its input. */
const codeAddress = (): Address => toAddress(rig.chainOf(rollup).multicall3)

const sign = (signer: PrivateKeyAccount, change: Partial<Authorization> = {}) =>
  signAuthorization(signer, { chainId: rollup, address: codeAddress(), nonce: 0, ...change })

/** A call by which an account with code passes a part of what it gets on to a payee. */
const passOn = (by: PrivateKeyAccount, payee: Address) => ({
  to: toAddress(by.address),
  value: toAmount(part),
  data: encodeFunctionData({
    abi: multicall,
    args: [[{ target: payee, allowFailure: false, value: part, callData: '0x' }]],
  }),
})

/** Bridges ether, gives code to an account that has never sent anything, and has it pay a payee. */
async function quoteOf(list: readonly Authorization[], signer: PrivateKeyAccount) {
  const payee = newAccount()
  const quoted = await rig.quote([ethereum, 'ETH'], [rollup, 'ETH'], {
    amount: whole,
    recipient: newAccount(),
    refundTo: newAccount(),
    txs: [passOn(signer, payee)],
    authorizationList: list,
  })
  return { quoted, payee }
}

const anvil = () => rig.wallet.clientOn(rollup)
const codeOf = (account: string) => anvil().getCode({ address: account as Address })
const nonceOf = (account: string) => anvil().getTransactionCount({ address: account as Address })
const heldBy = (account: string) => rig.balanceOf(rig.currencyOf([rollup, 'ETH']), account)
const fillsOf = async ({ requestId }: SolverRequest) =>
  (await rig.store.transactionsOf(requestId)).filter(({ purpose }) => purpose === 'fill')

/** Somebody else sends a transaction that carries this authorization. */
async function carry({ authority: _, ...signed }: Authorization): Promise<void> {
  const raw = await stranger.signTransaction({
    type: 'eip7702',
    chainId: rollup,
    nonce: await nonceOf(stranger.address),
    to: nativeAddress,
    gas: 200_000n,
    maxFeePerGas: 10n ** 11n,
    maxPriorityFeePerGas: 10n ** 9n,
    authorizationList: [signed],
  })
  await sendUntilMined(anvil(), [raw])
}

const delegation = (address: Address): Hex => `0xef0100${address.slice(2)}`

it('gives an account code in the transaction that pays and calls it', async () => {
  const lines: string[] = []
  const log = pino({ level: 'trace', base: null }, { write: (line) => void lines.push(line) })
  const [signer, victim] = [newSigner(), newSigner()]
  const signed = await sign(signer)
  // With another nonce the signature belongs to no known account, and gives the victim no code.
  const forged = { ...(await sign(victim, { nonce: 7 })), nonce: 0 }
  const { quoted, payee } = await quoteOf([signed, { ...forged, authority: newAccount() }], signer)
  solve(rollup, { log })
  solve(ethereum)
  await rig.deposit(quoted)
  const { state } = await rig.outcome(quoted.requestId)
  expect(state.status).toBe('success')
  expect([
    await heldBy(payee),
    await codeOf(signer.address),
    await nonceOf(signer.address),
  ]).toEqual([part, delegation(codeAddress()), 1])
  expect(await heldBy(quoted.recipient)).toBe(quoted.amountOut - part)
  expect([await codeOf(victim.address), await nonceOf(victim.address)]).toEqual([undefined, 0])
  const [fill] = await fillsOf(quoted)
  const { type, gas = 0n } = parseTransaction(fill?.attempts[0]?.raw ?? '0x')
  expect(type).toBe('eip7702')
  const receipt = await anvil().getTransactionReceipt({ hash: evmHash(fill?.mined?.hash ?? '0x') })
  expect(receipt.gasUsed).toBeLessThan(gas)
  expect(lines.length).toBeGreaterThan(0)
  for (const { r, s } of [signed, forged])
    for (const secret of [r, s]) expect(lines.join('')).not.toContain(secret.slice(2))
})

it('omits an authorization that already applies, also if another account sent it', async () => {
  const signer = newSigner()
  const signed = await sign(signer)
  const { quoted, payee } = await quoteOf([signed], signer)
  await carry(signed)
  solve(rollup)
  await rig.deposit(quoted)
  const { state } = await rig.outcome(quoted.requestId)
  expect([state.status, await heldBy(payee), await nonceOf(signer.address)]).toEqual([
    'success',
    part,
    1,
  ])
  const [fill] = await fillsOf(quoted)
  expect(parseTransaction(fill?.attempts[0]?.raw ?? '0x').type).toBe('eip1559')
})

it('refunds an order whose authorization has become stale, and makes none of its calls', async () => {
  const signer = newSigner()
  const { quoted, payee } = await quoteOf([await sign(signer)], signer)
  await carry(await sign(signer, { address: newAccount() }))
  solve(rollup)
  solve(ethereum)
  await rig.deposit(quoted)
  await vi.waitUntil(async () => {
    // A refusal must last for some blocks.
    await rig.mine(rollup, 1)
    return (await rig.find(quoted.requestId)).state.status === 'refund'
  }, patience)
  const { state } = await rig.find(quoted.requestId)
  expect(state.failReason).toBe('INVALID_NONCE')
  expect([await fillsOf(quoted), await heldBy(payee), await heldBy(quoted.recipient)]).toEqual([
    [],
    0n,
    0n,
  ])
})

it('applies it again after a reorg, and pays once', async () => {
  const signer = newSigner()
  const { quoted, payee } = await quoteOf([await sign(signer)], signer)
  solve(rollup)
  await rig.minePendingOnly(rollup, async () => {
    await rig.deposit(quoted)
    const seen = async () => (await rig.find(quoted.requestId)).state.fill
    await vi.waitUntil(async () => (await seen())?.status === 'seen', patience)
    const fill = await seen()
    if (fill?.status !== 'seen') throw new Error('It is not in a block')
    await rig.reorg(rollup, fill.transaction.block?.number ?? 0n)
    expect(await codeOf(signer.address)).toBe(undefined)
  })
  const { state } = await rig.outcome(quoted.requestId)
  expect(state.status).toBe('success')
  expect([
    await heldBy(payee),
    await nonceOf(signer.address),
    (await fillsOf(quoted)).length,
  ]).toEqual([part, 1, 1])
})

it('restores a lost fill of type 4 from the log of the approval proxy', async () => {
  const signer = newSigner()
  const { quoted } = await quoteOf([await sign(signer)], signer)
  solve(rollup)
  await rig.deposit(quoted)
  await rig.outcome(quoted.requestId)
  const saved: Batch[] = []
  const store = partialStore({
    transactionsOf: async () => [],
    findDeposits: rig.store.findDeposits,
    save: async (batch: Batch) => {
      saved.push(batch)
      return 'saved' as const
    },
  })
  const { approvalProxy } = rig.contractsOn(rollup)
  const restore = createRestoreFill(
    { client: rig.clientOn(rollup), store, log: rig.log, now: Date.now },
    { chain: rig.chainOf(rollup), approvalProxy, identity: rig.solverAddress },
  )
  await restore(await rig.find(quoted.requestId))
  const [fill] = await fillsOf(quoted)
  expect(saved.flatMap(({ transactions = [] }) => transactions)).toMatchObject([
    { attempts: [{ raw: fill?.attempts.at(-1)?.raw }] },
  ])
})
