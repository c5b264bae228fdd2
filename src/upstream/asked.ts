import type { UpstreamConfig } from '#src/config/upstream.ts'
import type { Account } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { burnAccountOf, vmTypeOf } from '#src/core/units/vmType.ts'
import type { SwapInput } from '#src/service/input/quoteInput.ts'

/** A request with the defaults of its accounts filled in. */
export type Asked = SwapInput & Readonly<{ user: Account; recipient: Account; refundTo: Account }>

/** @source docs/protocol.md: the default of `refundTo` is the recipient */
export function toAsked(request: SwapInput): Asked {
  const user = request.user ?? burnAccountOf.evm
  const recipient = request.recipient ?? user
  return { ...request, user, recipient, refundTo: request.refundTo ?? recipient }
}

/** Whether all accounts of a request are those of EVM chains, which alone another service is asked for. */
export const hasEvmAccounts = (request: SwapInput): boolean =>
  [
    request.user,
    request.recipient,
    request.refundTo,
    request.originCurrency,
    request.destinationCurrency,
    ...(request.appFees ?? []).map(({ recipient }) => recipient),
  ].every((account) => account == null || vmTypeOf(account) === 'evm')

/**
 * Options that only this gateway supports: another service has none of our sponsors, and its signature steps are not
 * passed on.
 */
const ownOptions = [
  'usePermit',
  'permitExpiry',
  'useDepositAddress',
  'strict',
  'latePaymentSlippageTolerance',
  'subsidizeFees',
  'maxSubsidizationAmount',
  'subsidizeRent',
  'authorizationList',
  'additionalData',
  'gasLimitForDepositSpecifiedTxs',
] as const satisfies readonly (keyof SwapInput)[]

/** The options of the request that another service does not support. */
export const ownOptionsOf = (request: SwapInput): readonly string[] =>
  ownOptions.filter((field) => isSet(request[field]))

function isSet(value: unknown): boolean {
  if (value === undefined || value === null || value === false) return false
  return typeof value !== 'object' || Object.keys(value).length > 0
}

/** Options that are passed on unchanged. Bigints become decimal text; gas becomes a number. */
const passedOptions = [
  'slippageTolerance',
  'referrer',
  'referrerAddress',
  'topupGas',
  'topupGasAmount',
  'enableTrueExactOutput',
  'forceSolverExecution',
  'includedSwapSources',
  'excludedSwapSources',
  'includedOriginSwapSources',
  'includedDestinationSwapSources',
  'maxRouteLength',
  'overridePriceImpact',
  'disableOriginSwaps',
  'fixedRate',
  'useExternalLiquidity',
  'depositFeePayer',
  'useSharedAccounts',
  'includeComputeUnitLimit',
] as const satisfies readonly (keyof SwapInput)[]

const gasOptions = [
  'txsGasLimit',
  'originGasOverhead',
] as const satisfies readonly (keyof SwapInput)[]

/**
 * The body of a request to another service. It always asks for a call of the depository, which records the deposit, and
 * never for the service's own fallbacks: two services that fall back to each other would loop.
 */
export function askBody(asked: Asked): Readonly<Record<string, unknown>> {
  const { originChainId, destinationChainId, originCurrency, destinationCurrency } = asked
  const { user, recipient, refundTo, tradeType } = asked
  return {
    user,
    recipient,
    refundTo,
    tradeType,
    amount: `${asked.amount}`,
    originChainId,
    destinationChainId,
    originCurrency,
    destinationCurrency,
    ...picked(asked, passedOptions, (value) => (typeof value === 'bigint' ? `${value}` : value)),
    ...picked(asked, gasOptions, Number),
    ...(asked.txs != null && {
      txs: asked.txs.map(({ to, value, data }) => ({ to, value: `${value}`, data })),
    }),
    ...(asked.appFees != null && {
      appFees: asked.appFees.map(({ recipient: payee, fee }) => ({
        recipient: payee,
        fee: `${fee}`,
      })),
    }),
  }
}

function picked(
  asked: Asked,
  fields: readonly (keyof SwapInput)[],
  encode: (value: unknown) => unknown,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    fields.flatMap((field) => (asked[field] == null ? [] : [[field, encode(asked[field])]])),
  )
}

/** A chain of another service. */
type UpstreamChain = Readonly<{
  /** Name in the orders of the service. */
  name: string
  contracts: ReadonlySet<string>
}>

/** The limits that the operator sets for another service. */
export type UpstreamTerms = Pick<UpstreamConfig, 'maxUsdDifference'> &
  Readonly<{ chains: ReadonlyMap<ChainId, UpstreamChain> }>

export const toUpstreamTerms = ({ maxUsdDifference, chains }: UpstreamConfig): UpstreamTerms => ({
  maxUsdDifference,
  chains: new Map(
    chains.map(({ id, name, contracts }) => [id, { name, contracts: new Set(contracts) }]),
  ),
})

type Ends = Readonly<{ origin: UpstreamChain; destination: UpstreamChain }>

/** Both chains of the request; `undefined` unless the service is configured for both. */
export function endsOf(
  { chains }: UpstreamTerms,
  { originChainId, destinationChainId }: Pick<Asked, 'originChainId' | 'destinationChainId'>,
): Ends | undefined {
  const [origin, destination] = [chains.get(originChainId), chains.get(destinationChainId)]
  return origin && destination && { origin, destination }
}
