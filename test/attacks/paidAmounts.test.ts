import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { Order } from '#src/core/pricing/order.ts'
import { priceSwap } from '#src/core/pricing/priceSwap.ts'
import { type Address, evmAddress, toAddress } from '#src/core/units/address.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import { toBps } from '#src/core/units/bps.ts'
import { users } from '#src/devnet/accounts.ts'
import { outputProgress } from '#src/requests/progress.ts'
import {
  isTerminal,
  type Payment,
  type StoredRequest,
  transactionOf,
} from '#src/requests/state/requestState.ts'
import type { RequestAnswer } from '#src/service/answers.ts'
import { paidAppFees } from '#src/service/paidAmounts.ts'
import { batchWallet } from '#test/support/artifacts/batchWallet.ts'
import { lyingCurrency } from '#test/support/artifacts/lyingCurrency.ts'
import { passOn } from '#test/support/artifacts/passOn.ts'
import { plain } from '#test/support/orders/orders.ts'
import {
  ethereum,
  type Place,
  patience,
  rollup,
  type SolverRig,
  startBridgingRig,
} from '#test/support/rigs/solverRig.ts'
import { newAccount } from '#test/support/wallets/newAccount.ts'

let rig: SolverRig
beforeAll(async () => {
  rig = await startBridgingRig()
  rig.track()
  for (const { id } of rig.config.chains) {
    rig.solve(id, { limits: { ...rig.config.solver, settleAfterSeconds: 1 } })
    const address = rig.currencyOf([id, 'USDC']).address
    await rig.wallet
      .clientOn(id)
      .setCode({ address: evmAddress(address), bytecode: lyingCurrency.deployedBytecode })
  }
})
afterAll(() => rig.stop())

const units = (whole: bigint, decimals: number): bigint => whole * 10n ** BigInt(decimals)
const amount = units(100n, 6)
const usdc = (chainId: Place[0]) => rig.currencyOf([chainId, 'USDC'])
const [user] = users

const lies = ['None', 'Tax', 'Bonus', 'Nothing', 'ExtraLog', 'Refusal', 'LoggedTax'] as const
type Lie = (typeof lies)[number]

async function lieAbout(chainId: Place[0], account: Address, lie: Lie): Promise<void> {
  const args = [account, lies.indexOf(lie)] as const
  const data = encodeFunctionData({ abi: lyingCurrency.abi, functionName: 'lieAbout', args })
  await rig.stranger.call(chainId, { to: usdc(chainId).address, data })
}

const quoteUsdc = (change: Omit<Partial<Order>, 'amount'> & { referrer?: string }) =>
  rig.quote([ethereum, 'USDC'], [rollup, 'USDC'], { amount, disableOriginSwaps: true, ...change })

const paidBy = (request: StoredRequest): Payment | undefined =>
  transactionOf(outputProgress(request, request.state))?.paid

/** The request after its end. */
const ended = (requestId: string): Promise<StoredRequest> =>
  vi.waitFor(async () => {
    const request = await rig.store.find(requestId)
    expect(isTerminal(request?.state.status ?? 'waiting')).toBe(true)
    return request as StoredRequest
  }, patience)

it.each<[Lie, 'known' | 'unknown']>([
  ['None', 'known'],
  ['Tax', 'unknown'],
  ['Bonus', 'unknown'],
  ['Nothing', 'unknown'],
  ['ExtraLog', 'unknown'],
  ['LoggedTax', 'known'],
])('a fill with a currency whose lie is %s shows what arrived, if it is %s', async (lie, kind) => {
  const recipient = newAccount()
  await lieAbout(rollup, recipient, lie)
  const quoted = await quoteUsdc({ recipient })
  await rig.deposit(quoted)
  const { state } = await rig.outcome(quoted.requestId)
  expect(state.status).toBe('success')
  const received = await rig.balanceOf(usdc(rollup), recipient)
  expect(transactionOf(state.fill)?.paid?.amount).toBe(kind === 'known' ? received : undefined)
})

it.each<[Lie, 'known' | 'unknown']>([
  ['None', 'known'],
  ['Tax', 'unknown'],
  ['ExtraLog', 'known'],
  ['LoggedTax', 'unknown'],
  ['Refusal', 'known'],
])('a refund in a currency whose lie is %s shows what arrived, if it is %s', async (lie, kind) => {
  const refundTo = newAccount()
  await lieAbout(ethereum, refundTo, lie)
  const quoted = await quoteUsdc({ refundTo, referrer: 'debug-force-refund' })
  await rig.deposit(quoted)
  const { state } = await rig.outcome(quoted.requestId)
  expect(state.refunds?.map(({ status }) => status)).toEqual(['confirmed'])
  const received = await rig.balanceOf(usdc(ethereum), refundTo)
  const [deposit] = await rig.store.depositsOf(quoted.requestId)
  const shown = kind === 'known' ? received : undefined
  expect(deposit?.paid?.reduce((sum, each) => sum + each.amount, 0n)).toBe(shown)
  expect(transactionOf(state.refunds?.[0])?.paid?.amount).toBe(shown)
})

it.each<[Lie, 'known' | 'unknown']>([
  ['None', 'known'],
  ['Nothing', 'unknown'],
  ['LoggedTax', 'unknown'],
  ['Refusal', 'known'],
])(
  'an app fee in a currency whose lie is %s shows what arrived, if it is %s',
  async (lie, kind) => {
    const recipient = newAccount()
    await lieAbout(ethereum, recipient, lie)
    const quoted = await quoteUsdc({ appFees: [{ recipient, fee: toBps(100n) }] })
    await rig.deposit(quoted)
    await rig.outcome(quoted.requestId)
    await rig.passSettlement(ethereum)
    const deposit = await vi.waitFor(async () => {
      const [found] = await rig.store.depositsOf(quoted.requestId)
      expect(found?.status).toBe('settled')
      return found
    }, patience)
    const received = await rig.balanceOf(usdc(ethereum), recipient)
    expect(deposit?.paid?.reduce((sum, each) => sum + each.amount, 0n)).toBe(
      kind === 'known' ? received : undefined,
    )
  },
)

const transfer = (to: Address, value: bigint) => ({
  to: evmAddress(usdc(rollup).address),
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, value] }),
  value: toAmount(0n),
})

/** The transaction that makes `from` pass its USDC on to `to`, or to its caller. */
const passing = (from: Address, to: Address) => ({
  to: from,
  data: encodeFunctionData({
    abi: passOn.abi,
    functionName: 'passOn',
    args: [evmAddress(usdc(rollup).address), to],
  }),
  value: toAmount(0n),
})

async function passer(): Promise<Address> {
  const address = newAccount()
  await rig.wallet.clientOn(rollup).setCode({ address, bytecode: passOn.deployedBytecode })
  return address
}

const noAccount = '0x0000000000000000000000000000000000000000' as Address

it('calls that send a part elsewhere leave the rest as what arrived', async () => {
  const recipient = newAccount()
  const txs = [transfer(newAccount(), units(30n, 6))]
  const quoted = await quoteUsdc({ recipient, txs })
  await rig.deposit(quoted)
  const { state } = await rig.outcome(quoted.requestId)
  const received = await rig.balanceOf(usdc(rollup), recipient)
  expect(received).toBeLessThan(quoted.amountOut)
  expect(transactionOf(state.fill)?.paid?.amount).toBe(received)
})

it('calls that send the output in circles do not show it twice', async () => {
  const [recipient, friend] = [await passer(), await passer()]
  const half = units(40n, 6)
  const txs = [
    transfer(newAccount(), units(45n, 6)),
    transfer(recipient, half),
    passing(recipient, friend),
    passing(friend, noAccount),
  ]
  const quoted = await quoteUsdc({ recipient, txs })
  await rig.deposit(quoted)
  const { state } = await rig.outcome(quoted.requestId)
  expect(state.status).toBe('success')
  const received = await rig.balanceOf(usdc(rollup), recipient)
  expect(received).toBeGreaterThan(0n)
  expect([undefined, received]).toContain(transactionOf(state.fill)?.paid?.amount)
})

it('calls that have another account pay the recipient do not make a wrong amount', async () => {
  const [recipient, friend] = [newAccount(), await passer()]
  const txs = [transfer(friend, units(45n, 6)), passing(friend, recipient)]
  const quoted = await quoteUsdc({ recipient, txs })
  await rig.deposit(quoted)
  const { state } = await rig.outcome(quoted.requestId)
  const received = await rig.balanceOf(usdc(rollup), recipient)
  expect([undefined, received]).toContain(transactionOf(state.fill)?.paid?.amount)
})

it('native currency that somebody left in the router does not make a wrong amount', async () => {
  const recipient = newAccount()
  const quoted = await rig.quote([ethereum, 'ETH'], [rollup, 'ETH'], {
    amount: units(1n, 17),
    recipient,
    disableOriginSwaps: true,
  })
  const { router: address } = rig.contractsOn(rollup)
  await rig.wallet.clientOn(rollup).setBalance({ address, value: 1_000n })
  await rig.deposit(quoted)
  const { state } = await rig.outcome(quoted.requestId)
  const received = await rig.balanceOf(rig.currencyOf([rollup, 'ETH']), recipient)
  expect([undefined, received]).toContain(transactionOf(state.fill)?.paid?.amount)
  await rig.wallet.clientOn(rollup).setBalance({ address, value: 0n })
})

/** Quotes an order on one chain, which the user executes. */
async function quoteOwn(symbols: readonly [string, string], change: Partial<Order>) {
  await rig.settled()
  const [origin, destination] = symbols.map((symbol) => rig.currencyOf([rollup, symbol]))
  if (origin === undefined || destination === undefined) throw new Error('No currency')
  const own = { user: user.address, recipient: user.address, refundTo: user.address }
  const order: Order = {
    ...plain,
    ...own,
    origin,
    destination,
    amount: toAmount(amount),
    tradeType: 'EXACT_INPUT',
    ...change,
  }
  const snapshot = rig.market.snapshot([rollup])
  const id = await rig.quoting(priceSwap(order, snapshot), snapshot, { request: {} })
  const request = await rig.store.find(id)
  if (request === undefined) throw new Error('Not stored')
  return request
}

type Own = Awaited<ReturnType<typeof quoteOwn>>

/** Sends all steps of these requests in one transaction of the user. */
async function sendAtOnce(requests: readonly Own[]): Promise<void> {
  const calls = requests.flatMap(({ steps }) =>
    steps.flatMap(({ items }) =>
      items.map(({ data: { to, value, data } }) => ({ target: to, value, data })),
    ),
  )
  const client = rig.wallet.clientOn(rollup)
  await client.setCode({ address: user.address, bytecode: batchWallet.deployedBytecode })
  const data: Hex = encodeFunctionData({
    abi: batchWallet.abi,
    functionName: 'batch',
    args: [calls],
  })
  const { status } = await rig.wallet.call(rollup, { to: user.address, data })
  expect(status).toBe('success')
  await client.setCode({ address: user.address, bytecode: '0x' })
}

it('two transfers in one transaction show each its own recipient and amount', async () => {
  const [one, other] = [newAccount(), newAccount()]
  const requests = [
    await quoteOwn(['USDC', 'USDC'], { recipient: one, amount: toAmount(1_000n) }),
    await quoteOwn(['USDC', 'USDC'], { recipient: other, amount: toAmount(2_000n) }),
  ]
  await sendAtOnce(requests)
  const shown = await Promise.all(requests.map(({ requestId }) => ended(requestId)))
  expect(shown.map((each) => [paidBy(each)?.recipient, paidBy(each)?.amount])).toEqual([
    [one, 1_000n],
    [other, 2_000n],
  ])
})

it('two transfers to one recipient in one transaction do not show their sum twice', async () => {
  const recipient = newAccount()
  const requests = [
    await quoteOwn(['USDC', 'USDC'], { recipient, amount: toAmount(1_000n) }),
    await quoteOwn(['USDC', 'USDC'], { recipient, amount: toAmount(2_000n) }),
  ]
  await sendAtOnce(requests)
  const shown = await Promise.all(requests.map(({ requestId }) => ended(requestId)))
  const received = shown.map((each) => paidBy(each)?.amount)
  expect([undefined, 1_000n]).toContain(received[0])
  expect([undefined, 2_000n]).toContain(received[1])
})

it.each<['ETH' | 'USDC', Lie, 'known' | 'unknown']>([
  ['ETH', 'None', 'known'],
  ['USDC', 'None', 'known'],
  ['USDC', 'LoggedTax', 'unknown'],
])(
  'shows the app fee of a user’s own transfer of %s, whose lie is %s: %s',
  async (symbol, lie, kind) => {
    const [recipient, app] = [newAccount(), newAccount()]
    await lieAbout(rollup, app, lie)
    const request = await quoteOwn([symbol, symbol], {
      recipient,
      amount: toAmount(100_000n),
      appFees: [{ recipient: app, fee: toBps(100n) }],
    })
    await rig.deposit(request as never)
    const { state, ...rest } = await ended(request.requestId)
    const shown = await paidAppFees({ request: rest, state } as unknown as RequestAnswer)
    const currency = rig.currencyOf([rollup, symbol])
    expect(shown?.map(({ amount }) => amount)).toEqual(
      kind === 'known' ? [await rig.balanceOf(currency, app)] : undefined,
    )
    expect(transactionOf(outputProgress(request, state))?.paid?.amount).toBe(
      await rig.balanceOf(currency, recipient),
    )
  },
)

it.each([
  ['WETH', 'ETH'],
  ['ETH', 'WETH'],
] as const)(
  'a user who converts %s to %s gets the amount shown, apart from gas',
  async (...pair) => {
    if (pair[0] === 'WETH') await wrapSome()
    const request = await quoteOwn(pair, { amount: toAmount(5_000n) })
    await rig.deposit(request as never)
    const shown = paidBy(await ended(request.requestId))
    expect(shown?.amount).toBe(5_000n as Amount)
  },
)

async function wrapSome(): Promise<void> {
  const { address: to } = rig.currencyOf([rollup, 'WETH'])
  await rig.wallet.call(rollup, { to: toAddress(to), data: '0xd0e30db0', value: 5_000n })
}
