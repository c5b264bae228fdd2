import { AppError } from '#src/core/errors.ts'
import type { Market } from '#src/core/pricing/market.ts'
import type { Order, PermitKind, SwapSourceFilter } from '#src/core/pricing/order.ts'
import { type Account, evmAddress, nativeAddress } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { formatUsd, toUsd, type Usd } from '#src/core/units/usd.ts'
import type { VmType } from '#src/core/units/vmType.ts'
import type { CurrencyPermits, Permits } from '#src/market/permitSupport/permitSupport.ts'
import { isBurnAddress } from '#src/protocol/calls/depositAddress.ts'
import type { Loaders } from '#src/service/answers.ts'
import { FieldError } from '#src/service/input/fieldError.ts'
import type { QuoteInput, SwapInput } from '#src/service/input/quoteInput.ts'
import { refuseUnsupported } from '#src/service/input/refusals.ts'
import { checkPayeeAddresses, type Payee } from '#src/service/payees/checkPayees.ts'
import { checkSvmOptions } from '#src/service/svm/svmOptions.ts'
import { checkOwners } from '#src/service/svm/svmPayees.ts'
import { machineOf } from './accountForms.ts'
import { checkDepositAddress } from './addressChecks.ts'
import { type AskPools, refuseAwaited } from './askedPools.ts'
import { type OrderAccounts, readAccounts } from './orderAccounts.ts'
import { type CheckDeps, checkChains, readCurrencies, withDepositGas } from './orderChecks.ts'

export type OrderDeps = CheckDeps &
  PermitDeps &
  Readonly<{
    swapSources: SourcesByChain
    /** The largest gas top-up. */
    maxTopupUsd: Usd
    /** Time in which the operator adds missing inventory; 0: never. */
    externalLiquiditySeconds: number
    askPools: AskPools
    /** @throws AppError if the snapshot of a chain is missing or too old. */
    snapshot: (chainIds: readonly ChainId[]) => Market
  }>

type OrderToPrice = Readonly<{
  order: Order
  market: Market
  /** All accounts that the order may pay. */
  payees: readonly Payee[]
}>

/**
 * Converts a valid request into an order, and takes the market snapshot to price it on.
 * @param readsPermits whether nodes may be asked for the permits of the currency
 * @throws AppError that names every bad field.
 */
export async function readOrder(
  deps: OrderDeps,
  request: SwapInput,
  loaders: Loaders,
  readsPermits = false,
): Promise<OrderToPrice> {
  const { originChainId, destinationChainId } = request
  const machines = {
    origin: machineOf(deps, originChainId),
    destination: machineOf(deps, destinationChainId),
  }
  refuseUnsupported(request, machines.origin)
  checkChains(deps, [
    { path: ['originChainId'], chainId: originChainId },
    { path: ['destinationChainId'], chainId: destinationChainId },
  ])
  const accounts = readAccounts(deps, request)
  const { user, recipient, refundTo } = accounts
  checkSvmOptions(request, machines)
  const { originCurrency, destinationCurrency } = request
  const ends = [
    { chainId: originChainId, address: originCurrency },
    { chainId: destinationChainId, address: destinationCurrency },
  ]
  const payees = payeesOf(request, accounts, machines)
  checkPayeeAddresses(deps, payees, ends)
  checkOwners(payees, ({ path }) =>
    path[0] === 'recipient' ? destinationCurrency : originCurrency,
  )
  checkDepositAddress(deps, request, { recipient, refundTo })
  const swapSources = swapSourcesOf(deps.swapSources, request)

  const market = deps.snapshot([originChainId, destinationChainId])
  refuseAwaited(
    deps.askPools,
    ends.filter(({ chainId, address }) => deps.knownCurrency(chainId, address) === undefined),
  )
  const [origin, destination] = await readCurrencies(deps, loaders, [
    { path: ['originCurrency'], chainId: originChainId, address: originCurrency, side: 'input' },
    {
      path: ['destinationCurrency'],
      chainId: destinationChainId,
      address: destinationCurrency,
      side: 'output',
    },
  ])

  const permit = await readPermit(deps, { ...request, user }, readsPermits)
  const { amount, tradeType } = request
  const swap = { origin: origin.currency, destination: destination.currency, amount, tradeType }
  const options = optionsOf(request, deps, machines.origin)
  const order = { ...accounts, ...swap, swapSources, ...options, ...permit }
  return { order: withDepositGas(order, request.gasLimitForDepositSpecifiedTxs), market, payees }
}

const payeesOf = (
  request: SwapInput,
  { user, recipient, refundTo }: OrderAccounts,
  { origin, destination }: Readonly<Record<'origin' | 'destination', VmType>>,
): readonly Payee[] => {
  const { originChainId: chainId, destinationChainId, appFees } = request
  // The depositor of a deposit address can take the deposit back.
  const isDepositor = request.useDepositAddress === true && !isBurnAddress(user)
  return [
    { path: ['recipient'], chainId: destinationChainId, payee: recipient },
    { path: ['refundTo'], chainId, payee: refundTo },
    ...(isDepositor ? [{ path: ['user'], chainId, payee: user }] : []),
    // Paid on the origin chain. A contract of the other chain is nobody's account there.
    ...(appFees ?? []).flatMap(({ recipient: payee }, at) =>
      (origin === destination ? [chainId, destinationChainId] : [chainId]).map((each) => ({
        path: ['appFees', at, 'recipient'],
        chainId: each,
        payee,
      })),
    ),
  ]
}

type Ends =
  | 'user'
  | 'recipient'
  | 'refundTo'
  | 'origin'
  | 'destination'
  | 'amount'
  | 'tradeType'
  | 'permit'

/** Value of the default top-up: two dollars. */
const defaultTopup = toUsd(2_000_000n)

/** @throws TopupTooLargeError */
function topupOf({ topupGas, topupGasAmount }: SwapInput, maxUsd: Usd): Pick<Order, 'topup'> {
  if (topupGas !== true) return {}
  if (topupGasAmount == null) return { topup: defaultTopup > maxUsd ? maxUsd : defaultTopup }
  if (topupGasAmount > maxUsd) throw new TopupTooLargeError(topupGasAmount, maxUsd)
  return { topup: topupGasAmount }
}

/** The gas top-up is larger than the solver pays. */
class TopupTooLargeError extends FieldError {
  constructor(asked: Usd, maxUsd: Usd) {
    const path = ['topupGasAmount']
    const message = `$${formatUsd(asked)} is more than the largest gas top-up of $${formatUsd(maxUsd)}`
    super('INVALID_REQUEST', path, message, {
      most: maxUsd.toString(),
      issues: [{ path, message }],
    })
  }
}

function optionsOf(
  request: SwapInput,
  { maxTopupUsd, externalLiquiditySeconds }: OrderDeps,
  origin: VmType,
): Omit<Order, Ends | 'swapSources'> {
  const { fixedRate, maxRouteLength, latePaymentSlippageTolerance } = request
  const paysAddress = request.useDepositAddress === true
  const isExplicit = (request.useReceiver ?? true) && (request.explicitDeposit ?? true)
  return {
    ...commonOptionsOf(request),
    ...(fixedRate != null && { fixedRate }),
    ...(maxRouteLength != null && { maxRouteLength }),
    ...(latePaymentSlippageTolerance != null && { latePaymentBps: latePaymentSlippageTolerance }),
    ...(request.useExternalLiquidity === true &&
      externalLiquiditySeconds > 0 && { externalLiquiditySeconds }),
    ...topupOf(request, maxTopupUsd),
    ...(request.subsidizeFees === true && {
      sponsorship:
        request.maxSubsidizationAmount == null ? {} : { maxUsd: request.maxSubsidizationAmount },
    }),
    appFees: request.appFees ?? [],
    // A deposit address makes a recorded deposit in any case, a payment by signature calls the depository, and there
    // are no others on an svm chain.
    explicitDeposit: paysAddress || request.usePermit === true || origin === 'svm' || isExplicit,
    ...(paysAddress && { useDepositAddress: true }),
    disableOriginSwaps: request.disableOriginSwaps ?? false,
    forceSolverExecution: paysAddress || (request.forceSolverExecution ?? false),
    enableTrueExactOutput: request.enableTrueExactOutput ?? false,
  }
}

type Common = 'slippageTolerance' | 'txsGasLimit' | 'originGasOverhead' | 'txs'

/** The options that orders with one origin and with several have in common. */
export function commonOptionsOf(
  request: Readonly<Partial<Pick<SwapInput, Common>>>,
): Pick<Order, Common> {
  const { slippageTolerance, txsGasLimit } = request
  return {
    ...(slippageTolerance != null && { slippageTolerance }),
    ...(txsGasLimit != null && { txsGasLimit }),
    originGasOverhead: request.originGasOverhead ?? 0n,
    txs: (request.txs ?? []).map(({ to, value, data }) => ({ to, value, data })),
  }
}

type PermitDeps = Readonly<{ permits: Pick<Permits, 'known' | 'read' | 'signerOf'> }>

/**
 * Reads how the user of an order pays by signature.
 * @param reads whether nodes may be asked. If not, a currency with unknown permits is priced by the most expensive
 * kind, and the user counts as an account with a key.
 * @returns without `permit` if no signature of the account would be accepted: the user then pays by transactions
 * @throws AppError UNSUPPORTED_EXECUTION_TYPE if the currency cannot be paid so; those of `Permits.read`
 */
async function readPermit(
  { permits }: PermitDeps,
  request: SwapInput & Pick<Order, 'user'>,
  reads: boolean,
): Promise<Pick<Order, 'permit'>> {
  const { usePermit, user, originChainId, originCurrency, depositFeePayer } = request
  if (usePermit !== true) return {}
  const payer = depositFeePayer == null ? {} : { payer: evmAddress(depositFeePayer) }
  // Pricing refuses it.
  const currency = evmAddress(originCurrency)
  if (currency === nativeAddress) return { permit: { kind: 'permit2', ...payer } }
  const [known, signer] = reads
    ? await Promise.all([
        permits.read(originChainId, currency),
        permits.signerOf(originChainId, evmAddress(user)),
      ])
    : [permits.known(originChainId, currency), 'key' as const]
  if (known?.permit2 === false) throw new NoPermitsError(originChainId)
  if (signer !== 'none') return { permit: { kind: kindOf(known, signer), ...payer } }
  if (depositFeePayer == null) return {}
  throw new NoSignatureError(user, originChainId)
}

/** A contract cannot sign for EIP-3009 and EIP-2612. Permit2 asks it by ERC-1271. */
function kindOf(known: CurrencyPermits | undefined, signer: 'key' | 'contract'): PermitKind {
  if (signer === 'contract') return 'permit2'
  if (known === undefined) return 'eip2612'
  if (known.eip3009 !== undefined) return 'eip3009'
  return known.eip2612 === undefined ? 'permit2' : 'eip2612'
}

/** The code of the user's account accepts no signature, so that no other account can send its payment. */
class NoSignatureError extends AppError {
  constructor(user: Account, chainId: number) {
    super(
      'UNSUPPORTED_EXECUTION_TYPE',
      `depositFeePayer: the code of ${user} on chain ${chainId} accepts no signature of its key, so nobody else can send its payment; leave usePermit and depositFeePayer out.`,
      { field: 'depositFeePayer', chainId },
    )
  }
}

/** The chain has no Permit2, or an old approval proxy that accepts no signatures. */
class NoPermitsError extends AppError {
  constructor(chainId: number) {
    super(
      'UNSUPPORTED_EXECUTION_TYPE',
      `usePermit: chain ${chainId} has no Permit2, or no approval proxy that uses it, so nothing can be paid by signature; leave usePermit out.`,
      { field: 'usePermit', chainId },
    )
  }
}

/** Names of the AMM deployments that routes on each chain can use. */
type SourcesByChain = ReadonlyMap<ChainId, ReadonlySet<string>>

type Lists = Pick<QuoteInput, 'originChainId' | 'destinationChainId'> &
  Partial<Pick<QuoteInput, ListField>>

const listFields = [
  'includedSwapSources',
  'excludedSwapSources',
  'includedOriginSwapSources',
  'includedDestinationSwapSources',
] as const satisfies readonly (keyof QuoteInput)[]

type ListField = (typeof listFields)[number]
type List = readonly string[] | null | undefined

const everySource: SwapSourceFilter = { excluded: new Set() }
const unfiltered = { origin: everySource, destination: everySource }

/**
 * The swap sources that a request allows for each leg. The list of a leg replaces `includedSwapSources`. An empty
 * list counts as absent.
 * @throws AppError INVALID_REQUEST that names every source that the chains of the order do not have.
 */
function swapSourcesOf(sources: SourcesByChain, request: Lists): Order['swapSources'] {
  if (listFields.every((field) => !request[field]?.length)) return unfiltered
  const onOrigin = sources.get(request.originChainId) ?? new Set()
  const onDestination = sources.get(request.destinationChainId) ?? new Set()
  const onEither = new Set([...onOrigin, ...onDestination])
  const issues = [
    ...unknownSources(request, 'includedSwapSources', onEither),
    ...unknownSources(request, 'excludedSwapSources', onEither),
    ...unknownSources(request, 'includedOriginSwapSources', onOrigin),
    ...unknownSources(request, 'includedDestinationSwapSources', onDestination),
  ]
  if (issues.length > 0) {
    const text = issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')
    throw new AppError('INVALID_REQUEST', text, { issues })
  }
  const excluded = new Set(request.excludedSwapSources)
  const filter = (own: List): SwapSourceFilter => {
    const included = own?.length ? own : request.includedSwapSources
    return { ...(included?.length && { included: new Set(included) }), excluded }
  }
  return {
    origin: filter(request.includedOriginSwapSources),
    destination: filter(request.includedDestinationSwapSources),
  }
}

const unknownSources = (request: Lists, field: ListField, known: ReadonlySet<string>) =>
  (request[field] ?? []).flatMap((source, at) =>
    known.has(source)
      ? []
      : [
          {
            path: [field, at],
            message: `Unknown swap source. Available: ${[...known].join(', ')}`,
          },
        ],
  )
