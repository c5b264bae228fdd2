import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { nativeAddress, toAddress } from '#src/core/units/address.ts'
import { users } from '#src/devnet/accounts.ts'
import { depositAddressOf } from '#src/protocol/calls/depositAddress.ts'
import type { StoredRequest } from '#src/requests/state/requestState.ts'
import { isTerminal, transactionOf } from '#src/requests/state/requestState.ts'
import type { QuoteInput } from '#test/generated/graphql.ts'
import { mineUntilFinal } from '#test/support/chains/sendUntilMined.ts'
import {
  bnb,
  ethereum,
  type Place,
  rollup,
  type tradeTypes,
  units,
  useQuotes,
} from '#test/support/gateways/useQuotes.ts'
import { createLedger } from '#test/support/models/ledger.ts'
import { waitLimitMs } from '#test/support/patience.ts'
import { isLong } from '#test/support/runs.ts'
import { newAccount } from '#test/support/wallets/newAccount.ts'

const quotes = useQuotes({ roles: ['gateway', 'tracker', 'solver'] })
const { stack, wallet, settled, balanceOf, quoteOf } = quotes

const patience = { timeout: waitLimitMs, interval: 200 }

/** Recipient of the app fees. */
const collector = newAccount()

const withoutSwaps = { disableOriginSwaps: true }

const kinds: readonly (readonly [
  name: string,
  from: Place,
  to: Place,
  input: string,
  output: string,
  change: Partial<QuoteInput>,
])[] = [
  ['native', [ethereum, 'ETH'], [rollup, 'ETH'], units('1', 18), units('1', 18), withoutSwaps],
  [
    'a plain native payment',
    [rollup, 'ETH'],
    [ethereum, 'ETH'],
    units('1', 18),
    units('1', 18),
    { ...withoutSwaps, explicitDeposit: false },
  ],
  ['ERC-20', [ethereum, 'USDC'], [bnb, 'USDC'], units('100', 6), units('90', 6), withoutSwaps],
  [
    'no answers',
    [rollup, 'USDT'],
    [ethereum, 'USDT'],
    units('100', 6),
    units('90', 6),
    withoutSwaps,
  ],
  [
    'a plain transfer',
    [bnb, 'USDC'],
    [rollup, 'USDC'],
    units('100', 6),
    units('90', 6),
    { ...withoutSwaps, useReceiver: false },
  ],
  [
    'a deposit address',
    [ethereum, 'ETH'],
    [rollup, 'ETH'],
    units('1', 18),
    units('1', 18),
    { useDepositAddress: true, strict: true, refundTo: users[0].address },
  ],
  [
    'a deposit address, a swap last',
    [bnb, 'USDC'],
    [ethereum, 'WBTC'],
    units('9000', 6),
    units('5', 6),
    { useDepositAddress: true, strict: true, refundTo: users[0].address },
  ],
  ['an unwrap first', [ethereum, 'WETH'], [rollup, 'ETH'], units('1', 18), units('1', 18), {}],
  ['a wrap last', [rollup, 'ETH'], [ethereum, 'WETH'], units('1', 18), units('1', 18), {}],
  ['a swap first', [ethereum, 'ACORN'], [rollup, 'USDC'], units('4000', 18), units('900', 6), {}],
  ['a swap last', [rollup, 'USDC'], [ethereum, 'WBTC'], units('9000', 6), units('5', 6), {}],
  ['swaps on both ends', [bnb, 'BIRCH'], [ethereum, 'GROVE'], units('50', 8), units('5', 24), {}],
  [
    'a top-up',
    [ethereum, 'USDC'],
    [rollup, 'USDC'],
    units('500', 6),
    units('400', 6),
    { topupGas: true },
  ],
  [
    'calls and app fees',
    [rollup, 'ETH'],
    [ethereum, 'ETH'],
    units('1', 18),
    units('1', 18),
    {
      appFees: [{ recipient: collector, fee: '25' }],
      txs: [{ to: users[4].address, value: '1000', data: '0x' }],
    },
  ],
  [
    'the solver on one chain',
    [ethereum, 'ETH'],
    [ethereum, 'USDC'],
    units('1', 18),
    units('900', 6),
    { forceSolverExecution: true },
  ],
  ['the user on one chain', [bnb, 'BNB'], [bnb, 'ETH'], units('3', 18), units('1', 18), {}],
  ['a wrap', [rollup, 'ETH'], [rollup, 'WETH'], units('1', 18), units('1', 18), {}],
]

/** Kinds of quotes whose fill swaps on the destination chain. */
const swapsLast = new Set([
  'a swap last',
  'a deposit address, a swap last',
  'swaps on both ends',
  'the solver on one chain',
])

/** A request that the wallet has quoted and paid for. */
type Made = Readonly<{
  title: string
  requestId: `0x${string}`
  to: Place
  recipient: `0x${string}`
  minimum: bigint
  /** Balance of the recipient before the request. */
  held: bigint
}>

async function make(
  [name, from, to, input, output, change]: (typeof kinds)[number],
  tradeType: (typeof tradeTypes)[number],
): Promise<Made> {
  const recipient = change.txs === undefined && name !== 'a wrap' ? newAccount() : wallet().address
  const quote = await quoteOf(from, to, {
    ...change,
    tradeType,
    recipient,
    amount: tradeType === 'EXACT_INPUT' ? input : output,
    slippageTolerance: '300',
  })
  const held = await balanceOf(to, recipient)
  const receipts = await wallet().execute(quote.steps)
  expect(receipts.map(({ status }) => status)).not.toContain('reverted')
  // A plain transfer counts once it is final.
  if (name === 'a plain transfer') await mineUntilFinal(wallet().clientOn(from[0]))
  const minimum = BigInt(quote.details.currencyOut.minimumAmount)
  const requestId = quote.requestId as `0x${string}`
  return { title: `${name}, ${tradeType}`, requestId, to, recipient, minimum, held }
}

/** Waits until all requests succeed, and checks that each recipient gets at least the quoted minimum. */
async function finish(made: readonly Made[]): Promise<void> {
  const found = new Map<string, StoredRequest>()
  await vi.waitFor(async () => {
    for (const each of await stack().store.findAll(made.map(({ requestId }) => requestId)))
      found.set(each.requestId, each)
    expect([...found.values()].filter(({ state }) => !isTerminal(state.status))).toEqual([])
  }, patience)
  const ends = made.map(({ title, requestId }) => {
    const { status, failReason } = found.get(requestId)?.state ?? {}
    return [title, status, failReason]
  })
  expect(ends).toEqual(made.map(({ title }) => [title, 'success', undefined]))
  for (const { title, to, recipient, minimum, held, requestId } of made) {
    if (recipient === wallet().address) continue
    const received = (await balanceOf(to, recipient)) - held
    expect([title, received >= minimum]).toEqual([title, true])
    const { fill, steps = [] } = found.get(requestId)?.state ?? {}
    const paid = transactionOf(fill ?? steps.at(-1)?.at(-1))?.paid
    expect([title, paid?.amount]).toEqual([title, received])
  }
}

const outputTypes = ['EXACT_OUTPUT', 'EXPECTED_OUTPUT'] as const

/**
 * `npm run test:all` covers half of the kinds, each with one trade type, in turns that the seed begins. The ledger has
 * all.
 */
const [start = 0] = fc.sample(fc.nat(3), 1)
const typesOf = (at: number) =>
  isLong ? outputTypes : outputTypes.filter((_, each) => 2 * each === (at + start) % 4)

it('every kind of quote succeeds and pays at least its minimum', async () => {
  const made: Made[] = []
  for (const [at, kind] of kinds.entries())
    for (const tradeType of typesOf(at)) {
      const one = await make(kind, tradeType)
      made.push(one)
      // The exact output is guaranteed. The next orders could move the price too far for it.
      if (tradeType === 'EXACT_OUTPUT' && swapsLast.has(kind[0])) await finish([one])
    }
  await finish(made)
})

it('balances of solver and depositories change by deposits minus payments, app fees and gas, exact to the wei', async () => {
  await settled()
  const ledger = createLedger(quotes)
  const opening = await ledger.open([collector])
  const made: Made[] = []
  for (const kind of kinds) made.push(await make(kind, 'EXACT_INPUT'))
  await finish(made)
  await settled()
  const requestIds = made.map(({ requestId }) => requestId)
  const { found, expected } = await ledger.close(opening, requestIds)
  expect(found).toEqual(expected)
})

it('a deposit address is in the quote with its preimage, and in the history; any caller may have it inspected', async () => {
  const change = { useDepositAddress: true, refundTo: newAccount(), amount: units('1', 18) }
  const from: Place = [ethereum, 'ETH']
  const common = { user: wallet().address, originChainId: ethereum, destinationChainId: rollup }
  const native = {
    originCurrency: `0x${'0'.repeat(40)}`,
    destinationCurrency: `0x${'0'.repeat(40)}`,
  }
  const input = { ...common, ...native, ...change, tradeType: 'EXACT_INPUT' }
  const { url } = stack()
  const ask = async (path: string, body?: object) => {
    const post = { method: 'POST', headers: { 'content-type': 'application/json' } }
    const init = body && { ...post, body: JSON.stringify(body) }
    const answer = await fetch(`${url}${path}`, init)
    return { status: answer.status, body: await answer.json() }
  }
  const plain = await ask('/price', { ...input, useDepositAddress: false })
  const priced = await ask('/price', input)
  const gasOf = ({ body }: typeof plain) => BigInt(body.fees.relayerGas.amount)
  // The sweep of 133,148 gas, at 8 gwei within a tenth.
  expect(Number(gasOf(priced) - gasOf(plain)) / (133_148 * 8e9)).toBeCloseTo(1, 0)
  expect((await ask('/quote/v2', { ...input, fixedRate: '10' })).body).toMatchObject({
    errorCode: 'UNSUPPORTED_EXECUTION_TYPE',
    message: expect.stringContaining('strict'),
  })
  const quoted = await ask('/quote/v2', { ...input, strict: true })
  expect(quoted.status).toBe(200)
  const [step] = quoted.body.steps
  const { depositAddress, requestId } = step
  expect(quoted.body.steps).toHaveLength(1)
  expect(step.items).toMatchObject([
    { data: { to: depositAddress, data: '0x', value: units('1', 18) }, check: { method: 'GET' } },
  ])
  const { orderId, depositAddress: preimage } = quoted.body.protocol.v2
  const depositor = wallet().address.toLowerCase()
  const { depositAddressFactory: factory } = stack().contractsOn(ethereum)
  expect(preimage).toEqual({ address: depositAddress, depositor, factory })
  expect(
    depositAddressOf(factory ?? nativeAddress, { orderId, depositor: toAddress(depositor) }),
  ).toBe(depositAddress)

  const unknown = { ...input, strict: true, user: nativeAddress, recipient: newAccount() }
  const { depositAddress: named } = (await ask('/quote/v2', unknown)).body.protocol.v2
  expect(named.depositor).toBe(change.refundTo)
  expect((await ask('/quote/v2', { ...unknown, recipient: undefined })).body).toMatchObject({
    errorCode: 'INVALID_RECIPIENT',
  })

  const reindex = { chainId: ethereum, depositAddress }
  const path = '/transactions/deposit-address/reindex'
  expect(await ask(path, reindex)).toMatchObject({
    status: 200,
    body: { triggeredCurrencies: [], checkedCurrencies: 5, failedCurrencies: 0 },
  })
  expect(await ask(path, reindex)).toMatchObject({
    status: 429,
    body: { errorCode: 'RATE_LIMITED' },
  })
  expect(await ask(path, { ...reindex, depositAddress: newAccount() })).toMatchObject({
    status: 404,
    body: { errorCode: 'UNKNOWN_REQUEST' },
  })
  expect(await ask(path, { ...reindex, targetChainId: rollup })).toMatchObject({
    status: 400,
    body: { errorCode: 'UNSUPPORTED_CHAIN' },
  })
  expect(await ask(path, { ...reindex, currency: newAccount() })).toMatchObject({
    status: 400,
    body: { errorCode: 'UNSUPPORTED_CURRENCY' },
  })

  expect((await wallet().execute(quoted.body.steps)).map(({ status }) => status)).toEqual([
    'success',
  ])
  const history = () => ask(`/requests/v2?depositAddress=${depositAddress}`)
  await vi.waitUntil(async () => (await history()).body.requests[0]?.status === 'success', patience)
  const shown = { address: depositAddress, depositor }
  for (const filter of ['depositAddress', 'user'])
    expect((await ask(`/requests/v2?${filter}=${depositAddress}`)).body.requests).toMatchObject([
      { id: requestId, depositAddress: { ...shown, depositAddressType: 'strict' } },
    ])
  const { data } = await stack().query(
    `query ($at: Address!) { requests(depositAddress: $at) { edges { node { requestId depositAddress { address kind depositor } } } } }`,
    { at: depositAddress },
  )
  expect(data).toEqual({
    requests: { edges: [{ node: { requestId, depositAddress: { ...shown, kind: 'strict' } } }] },
  })
  expect(await balanceOf(from, depositAddress)).toBe(0n)
})
