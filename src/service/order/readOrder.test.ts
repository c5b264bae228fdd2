import { expect, it } from 'vitest'
import { toAddress } from '#src/core/units/address.ts'
import { toUsd } from '#src/core/units/usd.ts'
import { priceInput } from '#src/service/input/priceInput.ts'
import { quoteInput } from '#src/service/input/quoteInput.ts'
import { ether } from '#test/support/canned/cannedCurrencies.ts'
import { cannedOperations, crossChainInput } from '#test/support/canned/cannedOperations.ts'
import { disabledChain, orderDeps } from '#test/support/orders/orderDeps.ts'
import { checkOpen, checkOpenRefund } from './addressChecks.ts'
import { readOrder } from './readOrder.ts'

const read = (changed: object) =>
  readOrder(
    orderDeps,
    priceInput.parse({ ...crossChainInput, ...changed }),
    cannedOperations.loaders(),
  )

it('names every field with the same problem in one error', async () => {
  const nobody = ether.address
  const stranger = `0x${'99'.repeat(20)}`
  await expect(
    read({ originChainId: disabledChain, destinationChainId: 5 }),
  ).rejects.toMatchInlineSnapshot(
    `[AppError: originChainId: chain 990003 is disabled; destinationChainId: chain 5 is not supported; supported chains: 990001, 990002, 990003.]`,
  )
  await expect(
    read({ recipient: nobody, appFees: [{ recipient: nobody, fee: '1' }] }),
  ).rejects.toMatchInlineSnapshot(
    `[AppError: recipient: 0x0000000000000000000000000000000000000000 is the zero address; funds would be lost; refundTo: 0x0000000000000000000000000000000000000000 is the zero address; funds would be lost; appFees.0.recipient: 0x0000000000000000000000000000000000000000 is the zero address; funds would be lost.]`,
  )
  await expect(
    read({ originCurrency: stranger, destinationCurrency: stranger }),
  ).rejects.toMatchInlineSnapshot(
    `[AppError: originCurrency: there is no currency at 0x9999999999999999999999999999999999999999 on chain 990001; the native currency has the zero address; destinationCurrency: there is no currency at 0x9999999999999999999999999999999999999999 on chain 990002; the native currency has the zero address.]`,
  )
})

it('asks no node about an unknown currency whose pools are about to be read', async () => {
  const stranger = toAddress(`0x${'99'.repeat(20)}`)
  const askPools: typeof orderDeps.askPools = ({ address }) =>
    address === stranger ? 5 : undefined
  const request = priceInput.parse({ ...crossChainInput, destinationCurrency: stranger })
  const loaders = {
    ...cannedOperations.loaders(),
    currency: () => Promise.reject(new Error('A node was asked')),
  }
  await expect(readOrder({ ...orderDeps, askPools }, request, loaders)).rejects.toMatchObject({
    code: 'NO_SWAP_ROUTES_FOUND',
    data: { retryAfterSeconds: 5 },
  })
})

it('converts all options of a request', async () => {
  const { order } = await read({ slippageTolerance: '50' })
  expect(order).toMatchObject({
    origin: ether,
    recipient: crossChainInput.user,
    slippageTolerance: 50n,
  })
})

it('limits the gas top-up, which is two dollars by default', async () => {
  const topup = async (changed: object, maxTopupUsd = orderDeps.maxTopupUsd) => {
    const request = quoteInput.parse({ ...crossChainInput, topupGas: true, ...changed })
    const deps = { ...orderDeps, maxTopupUsd }
    return (await readOrder(deps, request, cannedOperations.loaders())).order.topup
  }
  expect(await topup({})).toBe(2_000_000n)
  expect(await topup({}, toUsd(1_000_000n))).toBe(1_000_000n)
  expect(await topup({ topupGasAmount: '10000000' })).toBe(10_000_000n)
  await expect(topup({ topupGasAmount: '10000001' })).rejects.toMatchInlineSnapshot(
    `[AppError: topupGasAmount: $10.000001 is more than the largest gas top-up of $10.000000.]`,
  )
})

it('refuses all options that exclude a deposit address in one error', async () => {
  const dead = '0x000000000000000000000000000000000000dEaD'
  const change = {
    useDepositAddress: true,
    user: dead,
    refundTo: dead,
    txs: [{ to: `0x${'77'.repeat(20)}`, value: '0', data: '0x' }],
  }
  await expect(read(change)).rejects.toMatchInlineSnapshot(
    `[AppError: useDepositAddress: chain 990001 has no deposit addresses; the user calls the depository; txs: calls cannot follow a payment to a deposit address; leave txs or useDepositAddress out; recipient: nobody has the key of 0x000000000000000000000000000000000000dead; use another account; refundTo: nobody has the key of 0x000000000000000000000000000000000000dead; use another account.]`,
  )
  const [[chainId, contracts] = []] = orderDeps.contracts
  if (chainId === undefined || contracts === undefined) throw new Error('No contracts')
  const withFactory = { ...contracts, depositAddressFactory: toAddress(`0x${'fa'.repeat(20)}`) }
  const deps = { ...orderDeps, contracts: new Map([[chainId, withFactory]]) }
  const readWith = (changed: object) =>
    readOrder(
      deps,
      priceInput.parse({ ...crossChainInput, useDepositAddress: true, ...changed }),
      cannedOperations.loaders(),
    )
  expect((await readWith({ useReceiver: false })).order).toMatchObject({
    useDepositAddress: true,
    explicitDeposit: true,
    forceSolverExecution: true,
  })
  await expect(readWith({ txs: change.txs })).rejects.toMatchObject({
    code: 'EXTRA_TXS_NOT_SUPPORTED',
  })
})

it('strict needs a deposit address and a refund recipient', () => {
  const issues = (changed: object) =>
    quoteInput.safeParse({ ...crossChainInput, strict: true, ...changed }).error?.issues
  expect(issues({})?.map(({ path }) => path.join())).toEqual(['strict', 'refundTo'])
  expect(issues({ useDepositAddress: true })?.map(({ path }) => path.join())).toEqual(['refundTo'])
  const refundTo = `0x${'77'.repeat(20)}`
  expect(issues({ useDepositAddress: true, refundTo })).toBeUndefined()
})

it('an open address refuses options that cannot hold for each payment, and needs a refund recipient for swaps', () => {
  const refusal = (changed: object) => {
    try {
      checkOpen(quoteInput.parse({ ...crossChainInput, useDepositAddress: true, ...changed }))
    } catch (error) {
      return error
    }
    return undefined
  }
  const appFees = [{ recipient: `0x${'77'.repeat(20)}`, fee: '10' }]
  for (const changed of [
    { tradeType: 'EXACT_OUTPUT' },
    { fixedRate: '1' },
    { useExternalLiquidity: true },
  ]) {
    expect(refusal(changed)).toMatchObject({ code: 'UNSUPPORTED_EXECUTION_TYPE' })
    expect(refusal({ ...changed, strict: true, refundTo: `0x${'77'.repeat(20)}` })).toBeUndefined()
    expect(refusal({ ...changed, useDepositAddress: false })).toBeUndefined()
  }
  expect(refusal({ tradeType: 'EXPECTED_OUTPUT', slippageTolerance: '5', appFees })).toBeUndefined()
  // Anybody may pay the address, as often as they like.
  const sponsored = { subsidizeFees: true }
  expect(refusal(sponsored)).toMatchObject({
    code: 'INVALID_REQUEST',
    message: expect.stringContaining('maxSubsidizationAmount: required'),
  })
  expect(refusal({ ...sponsored, maxSubsidizationAmount: '5000000' })).toBeUndefined()
  const [bridged, swapped] = [undefined, { paths: [] }].map((route) => ({ destination: { route } }))
  const ask = (priced: object | undefined, changed = {}) =>
    checkOpenRefund({ useDepositAddress: true, ...changed }, priced as never)
  expect(() => ask(bridged)).not.toThrow()
  expect(() => ask(swapped)).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }))
  expect(() => ask(swapped, { refundTo: ether.address })).not.toThrow()
})

it('takes the zero address for an unknown user if a deposit address is paid', () => {
  const user = ether.address
  const issues = (changed: object) =>
    priceInput.safeParse({ ...crossChainInput, user, ...changed }).error?.issues
  expect(issues({})).toMatchObject([{ path: ['user'], params: { code: 'INVALID_ADDRESS' } }])
  expect(issues({ amount: '0' })?.map(({ path }) => path.join())).toEqual(['amount', 'user'])
  expect(issues({ useDepositAddress: true })).toBeUndefined()
})
