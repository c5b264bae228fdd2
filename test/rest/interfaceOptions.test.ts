import { describe, expect, it } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import type { Market } from '#src/core/pricing/market.ts'
import { multiInput } from '#src/service/input/multiInput.ts'
import { quoteInput } from '#src/service/input/quoteInput.ts'
import { multiInputQuote } from '#src/service/quote/multiInputQuote.ts'
import { quote } from '#src/service/quote/quote.ts'
import {
  multiInputFields,
  priceFields,
  quoteFields,
} from '#test/support/fixtures/interfaceFields.ts'
import {
  account,
  currencyOf,
  destinationChain,
  originChain,
  thirdChain,
  wideMarket,
} from '#test/support/fixtures/markets.ts'
import { noPermits } from '#test/support/fixtures/noPermits.ts'
import { chainIds, client, createQuoteDeps, loaders } from '#test/support/fixtures/quoteDeps.ts'
import { newSigner, signAuthorization } from '#test/support/fixtures/signAuthorization.ts'
import { contractsOn } from '#test/support/orders/multiExecution.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * How two inputs that differ in one field are answered: `differs` in price, steps or what is stored; `same` for fields that
 * are deprecated or hold by themselves (docs/rest.md says why); the code of the refusal of the second one.
 */
type Effect = 'differs' | 'same' | Readonly<{ refused: string }>

type Case = Readonly<{ one: Fields; other: Fields; effect: Effect; market?: Market }>

const differs = (one: Fields, other: Fields, market?: Market): Case => ({
  one,
  other,
  effect: 'differs',
  ...(market !== undefined && { market }),
})
const same = (one: Fields, other: Fields): Case => ({ one, other, effect: 'same' })
const refused = (other: Fields, code: string): Case => ({
  one: {},
  other,
  effect: { refused: code },
})
const onOff = (field: string, others: Fields = {}): Case =>
  differs({ ...others, [field]: false }, { ...others, [field]: true })

const of = (chainId: typeof originChain, symbol: 'ETH' | 'USDC' | 'LONG' | 'WBTC') =>
  currencyOf(chainId, symbol).address

/** The solver holds nothing on the destination chain. */
const poor: Market = {
  ...wideMarket,
  chains: new Map(
    [...wideMarket.chains].map(([id, chain]) => [
      id,
      id === destinationChain ? { ...chain, solverBalances: new Map() } : chain,
    ]),
  ),
}

const signed = async () => {
  const terms = { chainId: destinationChain, address: account('c'), nonce: 0 }
  const { authority: _, ...sent } = await signAuthorization(newSigner(), terms)
  return sent
}

const long = { destinationCurrency: of(destinationChain, 'LONG') }
const fromLong = { originCurrency: of(originChain, 'LONG'), amount: `${90n * 10n ** 18n}` }
const alone = {
  destinationChainId: originChain,
  destinationCurrency: of(originChain, 'ETH'),
  txs: [{ to: account('5'), value: '0', data: '0x' }],
}
const strictly = { useDepositAddress: true, strict: true, refundTo: account('9') }
/** A swap that loses a large part of its value. */
const ruinous = {
  originCurrency: of(originChain, 'WBTC'),
  destinationChainId: originChain,
  destinationCurrency: of(originChain, 'LONG'),
  amount: `${10n ** 10n}`,
}

const quotes: Readonly<Record<string, Case>> = {
  user: differs({}, { user: account('8') }),
  originChainId: differs({}, { originChainId: thirdChain, originCurrency: of(thirdChain, 'USDC') }),
  destinationChainId: differs(
    {},
    { destinationChainId: thirdChain, destinationCurrency: of(thirdChain, 'USDC') },
  ),
  originCurrency: differs({}, fromLong),
  destinationCurrency: differs({}, long),
  amount: differs({}, { amount: '90000000' }),
  tradeType: differs({}, { tradeType: 'EXACT_OUTPUT' }),
  recipient: differs({}, { recipient: account('8') }),
  txs: differs({}, { txs: alone.txs }),
  referrer: differs({}, { referrer: 'a' }),
  refundTo: differs({}, { refundTo: account('8') }),
  refundOnOrigin: same({ refundOnOrigin: false }, { refundOnOrigin: true }),
  useReceiver: onOff('useReceiver'),
  useExternalLiquidity: {
    ...differs({ useExternalLiquidity: false }, { useExternalLiquidity: true }, poor),
  },
  // Another service makes the difference: src/upstream/fallback.test.ts.
  useFallbacks: same({ useFallbacks: false }, { useFallbacks: true }),
  usePermit: differs({ usePermit: false }, { usePermit: true }),
  useDepositAddress: differs({ useDepositAddress: false }, strictly),
  slippageTolerance: differs(
    { ...long, slippageTolerance: '1' },
    { ...long, slippageTolerance: '2' },
  ),
  appFees: differs({}, { appFees: [{ recipient: account('8'), fee: '10' }] }),
  txsGasLimit: differs(
    { txs: alone.txs, txsGasLimit: 10 },
    { txs: alone.txs, txsGasLimit: 1_000_000 },
  ),
  authorizationList: differs({ authorizationList: [] }, { authorizationList: [await signed()] }),
  additionalData: refused({ additionalData: { userPublicKey: '02' } }, 'UNSUPPORTED_ROUTE'),
  referrerAddress: differs({}, { referrerAddress: account('8') }),
  topupGas: onOff('topupGas'),
  topupGasAmount: differs(
    { topupGas: true, topupGasAmount: '1000000' },
    { topupGas: true, topupGasAmount: '3000000' },
  ),
  enableTrueExactOutput: onOff('enableTrueExactOutput', { ...long, tradeType: 'EXACT_OUTPUT' }),
  explicitDeposit: onOff('explicitDeposit'),
  permitExpiry: differs(
    { usePermit: true, permitExpiry: 600 },
    { usePermit: true, permitExpiry: 700 },
  ),
  strict: differs(strictly, { ...strictly, strict: false }),
  latePaymentSlippageTolerance: differs({}, { latePaymentSlippageTolerance: '0' }),
  gasLimitForDepositSpecifiedTxs: differs(
    { ...alone, gasLimitForDepositSpecifiedTxs: 50_000 },
    { ...alone, gasLimitForDepositSpecifiedTxs: 60_000 },
  ),
  forceSolverExecution: onOff('forceSolverExecution', { ...alone, txs: [] }),
  subsidizeFees: onOff('subsidizeFees'),
  maxSubsidizationAmount: differs(
    { subsidizeFees: true, maxSubsidizationAmount: '1' },
    { subsidizeFees: true, maxSubsidizationAmount: '9000000' },
  ),
  subsidizeRent: same(
    { subsidizeFees: true, subsidizeRent: false },
    { subsidizeFees: true, subsidizeRent: true },
  ),
  includedSwapSources: differs(long, { ...long, includedSwapSources: ['uniswap-v2'] }),
  excludedSwapSources: differs(long, { ...long, excludedSwapSources: ['uniswap-v3'] }),
  includedOriginSwapSources: differs(fromLong, {
    ...fromLong,
    includedOriginSwapSources: ['uniswap-v3'],
  }),
  includedDestinationSwapSources: differs(long, {
    ...long,
    includedDestinationSwapSources: ['uniswap-v2'],
  }),
  originGasOverhead: differs({}, { originGasOverhead: 300_000 }),
  depositFeePayer: differs({ usePermit: true }, { usePermit: true, depositFeePayer: account('8') }),
  maxRouteLength: differs({ ...long, maxRouteLength: 1 }, { ...long, maxRouteLength: 4 }),
  useSharedAccounts: same({ useSharedAccounts: false }, { useSharedAccounts: true }),
  includeComputeUnitLimit: onOff('includeComputeUnitLimit'),
  overridePriceImpact: onOff('overridePriceImpact', ruinous),
  disableOriginSwaps: onOff('disableOriginSwaps', fromLong),
  fixedRate: differs({}, { fixedRate: '100' }),
}

const origin = (fields: Fields = {}) => ({
  chainId: originChain,
  currency: of(originChain, 'USDC'),
  amount: '50000000',
  ...fields,
})
const second = origin({ chainId: thirdChain, currency: of(thirdChain, 'USDC') })
const origins = (fields: Fields) => ({ origins: [origin(fields), second] })
const exactOutput = { tradeType: 'EXACT_OUTPUT', amount: '20000000' }

const multiInputQuotes: Readonly<Record<string, Case>> = {
  user: differs({}, { user: account('8') }),
  'origins.chainId': differs({}, { origins: [origin()] }),
  'origins.currency': differs(
    {},
    origins({ currency: of(originChain, 'LONG'), amount: fromLong.amount }),
  ),
  'origins.amount': differs({}, origins({ amount: '40000000' })),
  'origins.user': differs({}, origins({ user: account('8') })),
  destinationCurrency: differs({}, long),
  destinationChainId: differs(
    { origins: [origin()] },
    {
      origins: [origin()],
      destinationChainId: thirdChain,
      destinationCurrency: of(thirdChain, 'USDC'),
    },
  ),
  tradeType: differs({}, exactOutput),
  amount: differs(exactOutput, { ...exactOutput, amount: '30000000' }),
  recipient: differs({}, { recipient: account('8') }),
  refundTo: differs({}, { refundTo: account('8') }),
  txs: differs({}, { txs: alone.txs }),
  txsGasLimit: quotes['txsGasLimit'] as Case,
  partial: onOff('partial'),
  referrer: differs({}, { referrer: 'a' }),
  gasLimitForDepositSpecifiedTxs: refused(
    { gasLimitForDepositSpecifiedTxs: 50_000 },
    'INVALID_GAS_LIMIT_FOR_DEPOSIT_SPECIFIED_TXS',
  ),
  originGasOverhead: differs({}, { originGasOverhead: 300_000 }),
  slippageTolerance: quotes['slippageTolerance'] as Case,
}

/** All currencies take payments by EIP-3009. */
const permits = { permit2: true, eip3009: { name: 'Currency', version: '1' } }

/** Always the same, so that answers differ by their inputs alone. */
const fixedHash = () => `0x${'11'.repeat(32)}` as const

function depsOf(market: Market | undefined) {
  const { deps, stored } = createQuoteDeps({
    randomHash: fixedHash,
    identify: (name) => (name === undefined ? undefined : { name, sponsors: true }),
    swapSources: new Map(
      [...wideMarket.chains.keys()].map((id) => [id, new Set(['uniswap-v2', 'uniswap-v3'])]),
    ),
    contracts: new Map(
      chainIds.map((id) => [id, { ...contractsOn(id), depositAddressFactory: account('a') }]),
    ),
    permits: { ...noPermits, known: () => permits, read: async () => permits },
    ...(market !== undefined && { snapshot: () => market }),
  })
  return { deps, stored }
}

const caller = { ...client, apiKey: 'sponsor' }

/** The steps with their gas, and what is stored of the price. Or the code of the refusal. */
async function answerOf(ask: () => Promise<unknown>): Promise<string> {
  try {
    return JSON.stringify(await ask(), (_, value: unknown) =>
      typeof value === 'bigint' ? `${value}` : value,
    )
  } catch (error) {
    if (error instanceof AppError) return error.code
    throw error
  }
}

const quoted = ({ market }: Case, fields: Fields) =>
  answerOf(async () => {
    const { deps, stored } = depsOf(market)
    const request = quoteInput.parse({
      user: account('1'),
      originChainId: originChain,
      originCurrency: of(originChain, 'USDC'),
      destinationChainId: destinationChain,
      destinationCurrency: of(destinationChain, 'USDC'),
      amount: '100000000',
      tradeType: 'EXACT_INPUT',
      ...fields,
    })
    const { steps } = await quote(deps, request, loaders, caller)
    const gas = (await steps()).map(({ items }) => items.map(({ data }) => data.gas()))
    return [stored, await Promise.all(gas.flat())]
  })

const multiInputQuoted = ({ market }: Case, fields: Fields) =>
  answerOf(async () => {
    const { deps, stored } = depsOf(market)
    const request = multiInput.parse({
      user: account('1'),
      origins: [origin(), second],
      destinationChainId: destinationChain,
      destinationCurrency: of(destinationChain, 'USDC'),
      tradeType: 'EXACT_INPUT',
      ...fields,
    })
    await (await multiInputQuote(deps, request, loaders, caller)).steps()
    return stored
  })

describe.each([
  ['quote', [...priceFields, ...quoteFields], quotes, quoted],
  ['multiInputQuote', multiInputFields, multiInputQuotes, multiInputQuoted],
] as const)('%s: two values of a field', (_, fields, cases, ask) => {
  it('are compared for every field of the interface', () => {
    const named = fields.filter((field) => field !== 'origins')
    expect(Object.keys(cases).sort()).toEqual([...named].sort())
  })

  it.each(Object.entries(cases))('%s', async (__, each) => {
    const [one, other] = [await ask(each, each.one), await ask(each, each.other)]
    expect(`${one}${other}`).toContain('[')
    if (each.effect === 'differs') expect(other).not.toBe(one)
    else if (each.effect === 'same') expect(other).toBe(one)
    else expect([other, one.startsWith('[')]).toEqual([each.effect.refused, true])
  })
})
