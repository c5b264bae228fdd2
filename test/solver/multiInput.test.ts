import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { evmAddress } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'
import { createMultiInputRig } from '#test/support/rigs/multiInputRig.ts'
import {
  bnb,
  ethereum,
  type Place,
  patience,
  rollup,
  type SolverRig,
  startSolverRig,
} from '#test/support/rigs/solverRig.ts'

let rig: SolverRig
let multiInput: ReturnType<typeof createMultiInputRig>
beforeAll(async () => {
  rig = await startSolverRig()
  multiInput = createMultiInputRig(rig)
  rig.track()
  for (const { id } of rig.config.chains) rig.solve(id)
})
afterAll(() => rig.stop())

const units = (whole: bigint, decimals: number): bigint => whole * 10n ** BigInt(decimals)

const origins = [
  [ethereum, 'USDC', units(100n, 6)],
  [ethereum, 'ETH', units(1n, 16)],
  [bnb, 'USDC', units(50n, 6)],
] as const
const usdc: Place = [rollup, 'USDC']

const depositsOf = ({ requestId }: SolverRequest): Promise<readonly Deposit[]> =>
  rig.store.depositsOf(requestId)

const paid = async (request: SolverRequest, purpose: 'fill' | 'refund') => {
  const sent = await rig.store.transactionsOf(request.requestId)
  return sent.filter((each) => each.purpose === purpose && each.status === 'final')
}

/** Every request that this file has quoted so far. */
const quotes: SolverRequest[] = []

async function quoteOf(...args: Parameters<typeof multiInput.quote>): Promise<SolverRequest> {
  const quoted = await multiInput.quote(...args)
  quotes.push(quoted)
  return quoted
}

/** Balance of each input's refund address, in input order. */
const repaid = (request: SolverRequest) =>
  Promise.all(
    request.inputs.map(({ chainId, depositCurrency, refundTo }) => {
      const currency = rig.market.currencies.known({
        chainId,
        address: evmAddress(depositCurrency),
      })
      if (currency === undefined) throw new Error('Nobody knows it')
      return rig.balanceOf(currency, refundTo)
    }),
  )

/** Balance of each input's depository in the input's currency, in input order. */
const held = (request: SolverRequest) =>
  Promise.all(
    request.inputs.map(({ chainId, depositCurrency }) => {
      const currency = rig.market.currencies.known({
        chainId,
        address: evmAddress(depositCurrency),
      })
      if (currency === undefined) throw new Error('Nobody knows it')
      return rig.balanceOf(currency, rig.contractsOn(chainId).depository)
    }),
  )

const outcomeOf = async (request: SolverRequest) => {
  const { state } = await rig.outcome(request.requestId)
  return state
}

const received = (request: SolverRequest, place: Place) =>
  rig.balanceOf(rig.currencyOf(place), request.recipient)

it('fills an order with three deposits on two chains once, and settles each from its own depository', async () => {
  const quoted = await quoteOf(origins, usdc)
  expect(quoted.inputs).toHaveLength(3)
  const before = await held(quoted)
  for (const input of quoted.inputs.keys()) await multiInput.deposit(quoted, input)
  const { status, inTxHashes, txHashes } = await outcomeOf(quoted)
  expect([status, inTxHashes.length, txHashes.length]).toEqual(['success', 3, 1])
  const deposits = await depositsOf(quoted)
  const [fill, ...others] = await paid(quoted, 'fill')
  expect(others).toEqual([])
  expect(fill?.depositIds.toSorted()).toEqual(deposits.map(({ depositId }) => depositId).toSorted())
  expect(deposits.map(({ status }) => status)).toEqual(['filled', 'filled', 'filled'])
  const surplus =
    deposits.reduce((sum, { amount }) => sum + amount, 0n) -
    quoted.inputs.reduce((sum, { depositAmount }) => sum + depositAmount, 0n)
  expect(await received(quoted, usdc)).toBe(quoted.amountOut + surplus)
  for (const chainId of [ethereum, bnb]) await rig.passSettlement(chainId)
  const statuses = async () => (await depositsOf(quoted)).map(({ status }) => status)
  await vi.waitFor(
    async () => expect(await statuses()).toEqual(['settled', 'settled', 'settled']),
    patience,
  )
  expect(await held(quoted)).toEqual(before)
  expect(await repaid(quoted)).toEqual([0n, 0n, 0n])
})

/** Index of the only input on this chain. */
const inputOn = ({ inputs }: SolverRequest, chainId: ChainId): number =>
  inputs.findIndex((each) => each.chainId === chainId)

/** Deposits for all inputs except the one on this chain, then moves that chain past the deposit deadline. */
async function missOn(quoted: SolverRequest, chainId: ChainId): Promise<void> {
  const missed = inputOn(quoted, chainId)
  for (const input of quoted.inputs.keys())
    if (input !== missed) await multiInput.deposit(quoted, input)
  await multiInput.end(quoted, chainId)
}

const sumOf = (amounts: readonly bigint[]) => amounts.reduce((sum, each) => sum + each, 0n)

it('fills a partial order from the deposits made in time, and refunds only the late deposit', async () => {
  const quoted = await quoteOf(origins, usdc, { partial: true })
  const missed = inputOn(quoted, bnb)
  await missOn(quoted, bnb)
  const { status, inputStates, txHashes } = await outcomeOf(quoted)
  expect([status, txHashes.length]).toEqual(['success', 1])
  expect(inputStates.map((each) => each.status)).toEqual(
    quoted.inputs.map((_, at) => (at === missed ? 'missed' : 'funded')),
  )
  const deposits = await depositsOf(quoted)
  expect(deposits.map((each) => each.status)).toEqual(['filled', 'filled'])
  const got = await received(quoted, usdc)
  const { payoutAmount } = quoted.fill
  const spend = payoutAmount - (quoted.inputs[missed]?.payoutAmount ?? 0n) - 1n
  expect(got).toBeGreaterThanOrEqual((quoted.minimumAmountOut * spend) / payoutAmount)
  expect(got).toBeLessThan(sumOf(deposits.map(({ amount }) => amount)))
  const [fill] = await paid(quoted, 'fill')
  expect(fill?.spends.map(({ amount }) => amount)).toEqual([got])

  await multiInput.deposit(quoted, missed)
  await vi.waitFor(async () => {
    const late = (await depositsOf(quoted)).find(({ chainId }) => chainId === bnb)
    expect(late).toMatchObject({ status: 'refunded', reason: 'ORDER_EXPIRED' })
  }, patience)
  const refunds = await paid(quoted, 'refund')
  expect(refunds).toHaveLength(1)
  expect((await repaid(quoted))[missed]).toBe(refunds[0]?.spends[0]?.amount)
  expect((await rig.find(quoted.requestId)).state).toMatchObject({ status: 'success', txHashes })
  expect(await received(quoted, usdc)).toBe(got)
})

/** Checks that each deposit is refunded once, on its chain and to its own refund address, minus gas, and that no other balance changes. */
async function expectRepaid(
  quoted: SolverRequest,
  before: Readonly<{ held: readonly bigint[]; currencies: readonly string[] }>,
): Promise<void> {
  const deposits = await depositsOf(quoted)
  const refunds = await paid(quoted, 'refund')
  expect(deposits.map(({ status }) => status)).toEqual(deposits.map(() => 'refunded'))
  expect(refunds.map(({ depositIds }) => depositIds[0]).toSorted()).toEqual(
    deposits.map(({ depositId }) => depositId).toSorted(),
  )
  const { state } = await rig.find(quoted.requestId)
  const spent = quoted.inputs.map((_, at) => {
    const funding = state.inputStates[at]
    const refund = refunds.find(
      ({ depositIds }) => funding?.status === 'funded' && depositIds.includes(funding.depositId),
    )
    return refund?.spends[0]?.amount ?? 0n
  })
  expect(await repaid(quoted)).toEqual(spent)
  expect(await paid(quoted, 'fill')).toEqual([])
  expect(await received(quoted, usdc)).toBe(0n)
  const left = (key: string) =>
    sumOf(deposits.filter((each) => keyOf(each) === key).map(({ amount }) => amount)) -
    sumOf(
      refunds
        .filter(({ chainId, spends: [first] }) => `${chainId}:${first?.currency}` === key)
        .map(({ spends: [first] }) => first?.amount ?? 0n),
    )
  expect(await held(quoted)).toEqual(
    before.held.map((amount, at) => amount + left(before.currencies[at] ?? '')),
  )
}

const keyOf = ({ chainId, currency }: Pick<Deposit, 'chainId' | 'currency'>) =>
  `${chainId}:${currency}`

/** Depository balances, read after earlier requests are settled: a later settlement would change them. */
async function ledgerOf(quoted: SolverRequest) {
  const unsettled = async () =>
    (await Promise.all(quotes.map(depositsOf)))
      .flat()
      .filter(({ status }) => status === 'filled' || status === 'settling')
  for (const chainId of new Set((await unsettled()).map((each) => each.chainId)))
    await rig.passSettlement(chainId)
  await vi.waitFor(async () => expect(await unsettled()).toEqual([]), patience)
  return {
    held: await held(quoted),
    currencies: quoted.inputs.map(({ chainId, depositCurrency }) =>
      keyOf({ chainId, currency: evmAddress(depositCurrency) }),
    ),
  }
}

it('refunds every deposit of an order that allows no partial fill if one input is missed, exact to the wei', async () => {
  const quoted = await quoteOf(origins, usdc)
  const before = await ledgerOf(quoted)
  await missOn(quoted, bnb)
  const { status, failReason, txHashes, refunds } = await outcomeOf(quoted)
  expect([status, failReason, txHashes.length]).toEqual(['refund', 'ORDER_EXPIRED', 2])
  expect(refunds?.map((each) => each.status)).toEqual(
    quoted.inputs.map(({ chainId }) => (chainId === bnb ? 'skipped' : 'confirmed')),
  )
  await expectRepaid(quoted, before)
})

it('refunds deposits on three chains, including the destination chain, exact to the wei', async () => {
  const quoted = await quoteOf(
    [
      [ethereum, 'USDC', units(100n, 6)],
      [rollup, 'ETH', units(1n, 16)],
      [bnb, 'USDC', units(50n, 6)],
    ],
    usdc,
    { partial: true, referrer: 'debug-force-refund' },
  )
  const before = await ledgerOf(quoted)
  for (const input of quoted.inputs.keys()) await multiInput.deposit(quoted, input)
  const { status, failReason, txHashes } = await outcomeOf(quoted)
  expect([status, failReason, txHashes.length]).toEqual(['refund', 'UNKNOWN', 3])
  await expectRepaid(quoted, before)
})

it('pays at least the exact output of an order with several deposits', async () => {
  const quoted = await quoteOf(origins, [rollup, 'WBTC'], { output: units(1n, 5) })
  for (const input of quoted.inputs.keys()) await multiInput.deposit(quoted, input)
  expect((await outcomeOf(quoted)).status).toBe('success')
  expect(await received(quoted, [rollup, 'WBTC'])).toBeGreaterThanOrEqual(units(1n, 5))
  expect(await paid(quoted, 'fill')).toHaveLength(1)
})
