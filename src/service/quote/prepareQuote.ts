import { encodeFunctionData, erc20Abi, type Hash } from 'viem'
import { AppError } from '#src/core/errors.ts'
import { evmGas } from '#src/core/pricing/gas/gas.ts'
import { callsWork } from '#src/core/pricing/gas/transactionSize.ts'
import type { ChainMarket, Market } from '#src/core/pricing/market.ts'
import type { CurrencyAmount, PricedBlock, PricedOrigin } from '#src/core/pricing/price.ts'
import { type Account, type Address, evmAddress } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { type Pubkey, toPubkey } from '#src/core/units/svm/pubkey.ts'
import { vmTypeOf } from '#src/core/units/vmType.ts'
import type { ContractKinds } from '#src/market/contracts/contractKinds.ts'
import type { PermitReads } from '#src/market/permitSupport/permitSupport.ts'
import type {
  TransactionPreviews,
  TransactionSimulator,
  TransactionTrials,
} from '#src/market/reads/transactionSimulator.ts'
import type { SvmReads } from '#src/market/svm/svmReads.ts'
import { depositAddressOf, depositorOf } from '#src/protocol/calls/depositAddress.ts'
import { planTxSimulation } from '#src/protocol/calls/txSimulation.ts'
import type { ProtocolContracts } from '#src/protocol/contracts/protocolContracts.ts'
import { orderSeconds, type Protocol, toProtocol } from '#src/protocol/order/order.ts'
import { isMulti, isUserSwap, type QuotedPrice } from '#src/protocol/order/quotedPrice.ts'
import type { Step, StepContext } from '#src/protocol/step.ts'
import {
  type Allowance,
  depositAllowance,
  permit2Allowance,
  requiredAllowance,
} from '#src/protocol/steps/allowance.ts'
import { buildMultiSteps, buildSteps } from '#src/protocol/steps/buildSteps.ts'
import { depositAddress as svmDepositAddress } from '#src/protocol/svm/depository/depositoryAddresses.ts'
import type { SvmStepContext } from '#src/protocol/svm/steps.ts'
import type { QuotedRequest } from '#src/requests/quotedRequest.ts'
import type { Loaders } from '#src/service/answers.ts'
import { type Client, quotaOf } from '#src/service/callers.ts'
import type { SwapInput } from '#src/service/input/quoteInput.ts'
import type { AddressLimits } from '#src/service/limits/addressLimits.ts'
import type { QuoteAdmission } from '#src/service/limits/openQuotes.ts'
import { isOpen } from '#src/service/order/addressChecks.ts'
import { checkAuthorizations } from '#src/service/order/authorizations.ts'
import { type ContractsByChain, DepositGasError } from '#src/service/order/orderChecks.ts'
import { checkNativePayees } from '#src/service/payees/checkNativePayees.ts'
import { checkPayeeContracts, type Payee } from '#src/service/payees/checkPayees.ts'
import { readPermitContext } from '#src/service/permits/permitContext.ts'
import type { QuotedStep } from '#src/service/quotedSteps.ts'
import { checkSvmPayees } from '#src/service/svm/svmPayees.ts'
import { svmSteps } from '#src/service/svm/svmQuote.ts'
import { leastGasOf, withGas } from './stepGas.ts'
import {
  deadlineOf,
  type QuotedAddress,
  type RequestTerms,
  toQuotedRequest,
} from './toQuotedRequest.ts'

export type PrepareDeps = ContractsByChain &
  QuoteLimits &
  QuoteStorage &
  Readonly<{
    /** Pays fills. */
    solver: Address
    /** Account that orders name as their solver. */
    identity: Address
    simulator: TransactionSimulator
    /** Reads svm chains. */
    svm: SvmReads
    contractKinds: ContractKinds
    permits: PermitReads
    addressLimits: AddressLimits
  }>

export type QuoteLimits = Readonly<{
  openQuotes: QuoteAdmission
  /** Maximum open quotes of a caller whose API key has no limit of its own. */
  maxOpenQuotes: number
}>

export type QuoteStorage = Readonly<{
  /** Resolves once the request is durable. @throws AppError SERVICE_UNAVAILABLE */
  store: (request: QuotedRequest) => Promise<void>
  /** Returns 32 unpredictable bytes. */
  randomHash: () => Hash
}>

type Priced = Omit<RequestTerms, 'quota'> &
  Readonly<{
    client: Client
    priced: QuotedPrice
    market: Market
    /** All accounts that the order may pay. */
    payees: readonly Payee[]
  }>

type Prepared = Readonly<{
  requestId: Hash
  quoteId: Hash
  steps: readonly QuotedStep[]
  /** `undefined` for a user's own swap. */
  protocol: Protocol | undefined
  /** `undefined` if the user pays no deposit address. */
  address: QuotedAddress | undefined
}>

/**
 * Makes a price executable: checks payees and destination calls, builds the order and the steps, and stores the
 * request.
 * @throws AppError if the caller has too many open quotes, a check fails, a chain has no contracts, or the nodes or the
 * store do not answer.
 */
export async function prepareQuote(
  deps: PrepareDeps,
  { priced, market, payees, client, ...terms }: Priced,
  loaders: Loaders,
): Promise<Prepared> {
  const { solver, identity } = deps
  const { caller } = terms
  const quota = quotaOf(caller, client)
  await deps.openQuotes.admit(quota, caller?.maxOpenQuotes ?? deps.maxOpenQuotes)
  if (priced.pricedOrigins.some(paysAddress)) await deps.addressLimits.admit(quota)
  const chains = chainsOf(deps, priced, market)
  const destination = chainIn(chains, priced.currencyOut.currency.chainId)
  const requestId = deps.randomHash()
  const protocol = isUserSwap(priced)
    ? undefined
    : protocolOf(deps, priced, chains, terms.createdAt)
  const paying = checkNativePayees(deps, priced, payees, chains)
  // Runs alongside the other reads. A failure counts where it is awaited.
  paying.catch(() => undefined)
  const ids = { requestId, orderId: protocol?.orderId }
  if (priced.order.txs.length > 0) {
    await paying
    const context = { ...evmChain(destination), ...ids, solver, identity }
    await simulateTxs(deps, priced, context, terms.request)
  }
  const deadline = deadlineOf(priced, terms.createdAt) + lateSecondsOf(priced)
  const address = addressOf(priced, chains, protocol, isOpen(terms.request))
  const stepTerms = {
    ...ids,
    deadline,
    leastGas: leastGasOf(priced, terms.request),
    depositAddress: address?.depositAddress,
  }
  const read = contextReader(deps, chains, stepTerms, loaders)
  const [steps] = await Promise.all([
    stepsOf(deps, priced, terms, { chains, stepTerms, read }),
    checkPayeeContracts(deps, payees, market),
    checkSvmPayees(deps, priced, payees),
    paying,
  ])
  await checkAuthorizations(deps, priced, steps)
  const parts = { requestId, protocol, steps, ...(address && { address }) }
  await deps.store(toQuotedRequest(priced, { ...terms, quota }, parts))
  const quoteId = protocol?.orderId ?? requestId
  return { requestId, quoteId, steps: withGas(deps, steps), protocol, address }
}

const paysAddress = ({ sweep }: PricedOrigin): boolean => sweep !== undefined

/** A chain of the price, with the gateway's contracts on it, or with its program. */
type PricedChain = EvmChain | SvmChain

type EvmChain = Readonly<{
  market: ChainMarket
  contracts: ProtocolContracts
  wrappedNative: Address
}>

type SvmChain = Readonly<{ market: ChainMarket; program: Pubkey }>

const isSvm = (chain: PricedChain): chain is SvmChain => 'program' in chain

/** For what only happens on EVM chains: orders that need it on another chain were refused. */
function evmChain(chain: PricedChain): EvmChain {
  if (isSvm(chain)) throw new Error(`Chain ${chain.market.chain.id} runs no contracts`)
  return chain
}

type PricedChains = ReadonlyMap<ChainId, PricedChain>

/** The chains that users pay on and that the recipient is paid on. */
function chainsOf(deps: PrepareDeps, priced: QuotedPrice, market: Market): PricedChains {
  const paidOn = priced.pricedOrigins.map(({ leg }) => leg.input.currency.chainId)
  const chainIds = new Set([...paidOn, priced.currencyOut.currency.chainId])
  return new Map(
    [...chainIds].map((chainId) => {
      const found = market.chains.get(chainId)
      if (found === undefined) throw new Error(`The market snapshot has no chain ${chainId}`)
      return [chainId, pricedChain(deps, found)] as const
    }),
  )
}

function pricedChain({ contracts, programs }: ContractsByChain, market: ChainMarket): PricedChain {
  const { id, native, wrappedNative } = market.chain
  if (vmTypeOf(native.address) === 'svm') {
    const program = programs.get(id)
    if (program === undefined) throw new UnquotableChainError(id)
    return { market, program }
  }
  return { market, contracts: contractsOn(contracts, id), wrappedNative: evmAddress(wrappedNative) }
}

function chainIn(chains: PricedChains, chainId: ChainId): PricedChain {
  const chain = chains.get(chainId)
  if (chain === undefined) throw new Error(`The price does not involve chain ${chainId}`)
  return chain
}

export function contractsOn(
  contracts: PrepareDeps['contracts'],
  chainId: ChainId,
): ProtocolContracts {
  const found = contracts.get(chainId)
  if (found === undefined) throw new UnquotableChainError(chainId)
  return found
}

/** The configuration has neither contracts nor a program of the chain. */
class UnquotableChainError extends AppError {
  constructor(chainId: ChainId) {
    super(
      'SERVICE_UNAVAILABLE',
      `Chain ${chainId} supports prices but no quotes: its contracts are not configured.`,
      { chainId },
    )
  }
}

/** The contract or program that receives the deposits of a chain. @throws AppError SERVICE_UNAVAILABLE */
export const depositoryOn = (
  { contracts, programs }: ContractsByChain,
  chainId: ChainId,
): Account => programs.get(chainId) ?? contractsOn(contracts, chainId).depository

/** The contract or program that sweeps deposit addresses of a chain; undefined if it has none. */
export const sweeperOn = (
  { contracts, programs }: ContractsByChain,
  chainId: ChainId,
): Account | undefined =>
  programs.get(chainId) ?? contractsOn(contracts, chainId).depositAddressFactory

/** The order that the solver fills, with its id. */
function protocolOf(
  { identity, randomHash }: PrepareDeps,
  priced: QuotedPrice,
  chains: PricedChains,
  createdAt: number,
): Protocol {
  const destination = chainIn(chains, priced.currencyOut.currency.chainId)
  return toProtocol(priced, {
    salt: BigInt(randomHash()),
    solver: identity,
    destinationRouter: isSvm(destination) ? undefined : destination.contracts.router,
    chainNames: new Map(
      Array.from(chains, ([chainId, { market }]) => [chainId, market.chain.name]),
    ),
    quotedAt: Math.floor(createdAt / 1000),
  })
}

/** The deposit address that the user pays, and its depositor; `undefined` if the user pays none. */
function addressOf(
  priced: QuotedPrice,
  chains: PricedChains,
  protocol: Protocol | undefined,
  isOpen: boolean,
): QuotedAddress | undefined {
  const [origin] = priced.pricedOrigins
  if (origin?.sweep === undefined || protocol === undefined) return undefined
  const { chainId } = origin.leg.input.currency
  const chain = chainIn(chains, chainId)
  const { orderId } = protocol
  if (isSvm(chain)) {
    // Its program refunds a deposit to its depositor only.
    const depositor = toPubkey(origin.refundTo)
    const address = svmDepositAddress(chain.program, { id: orderId, depositor })
    return { depositAddress: address, depositor }
  }
  const factory = chain.contracts.depositAddressFactory
  if (factory === undefined) throw new Error(`Chain ${chainId} has no deposit addresses`)
  // Each payment to an open address gets an order of its own, so only the depositor can be refunded without a proof.
  const ends = { user: evmAddress(origin.user), refundTo: evmAddress(origin.refundTo) }
  const depositor = isOpen ? ends.refundTo : depositorOf(ends)
  return { depositAddress: depositAddressOf(factory, { orderId, depositor }), depositor }
}

/**
 * Reads the context of an account's steps: contracts, gas prices, and the current allowance if `neededWith` returns
 * one.
 */
type ContextReader = (
  account: Account,
  paid: CurrencyAmount,
  neededWith: (contracts: ProtocolContracts) => Allowance | undefined,
) => Promise<StepContext>

type StepTerms = Pick<StepContext, 'requestId' | 'orderId' | 'deadline' | 'leastGas'> &
  Readonly<{ depositAddress: Account | undefined }>

function contextReader(
  { simulator, solver }: PrepareDeps,
  chains: PricedChains,
  { depositAddress, ...terms }: StepTerms,
  loaders: Loaders,
): ContextReader {
  return async (account, { currency }, neededWith) => {
    const { market, contracts, wrappedNative } = evmChain(chainIn(chains, currency.chainId))
    const needed = neededWith(contracts)
    const { hash: blockHash } = market.block
    const approval = await readApproval(simulator, { account, needed, blockHash }, loaders)
    const { unrecordedLimitUsd } = market.chain.depositPolicy
    const onChain = { contracts, wrappedNative, unrecordedLimitUsd, gas: evmGas(market.gas) }
    const paid = depositAddress && { depositAddress: evmAddress(depositAddress) }
    return { ...terms, ...onChain, solver, ...approval, ...paid }
  }
}

/** The context of a deposit on an svm chain. */
function svmContext(
  { program, market: { gas } }: SvmChain,
  { requestId, orderId, depositAddress }: StepTerms,
  { depositFeePayer }: Pick<SwapInput, 'depositFeePayer'>,
): SvmStepContext {
  if (orderId === undefined) throw new Error('A deposit needs an order id')
  return {
    requestId,
    orderId,
    program,
    depositAddress: depositAddress && toPubkey(depositAddress),
    feePayer: depositFeePayer == null ? undefined : toPubkey(depositFeePayer),
    microLamports: gas.vmType === 'svm' ? gas.microLamportsPerUnit : 0n,
  }
}

async function stepsOf(
  deps: PrepareDeps,
  priced: QuotedPrice,
  terms: Pick<Priced, 'request' | 'createdAt'>,
  {
    chains,
    stepTerms,
    read,
  }: Readonly<{
    chains: PricedChains
    stepTerms: StepTerms
    read: ContextReader
  }>,
): Promise<readonly Step[]> {
  if (!isMulti(priced)) {
    const { order, currencyIn } = priced
    const chain = chainIn(chains, currencyIn.currency.chainId)
    if (isSvm(chain)) {
      const context = svmContext(chain, stepTerms, terms.request)
      return svmSteps(deps, priced, context, terms.request)
    }
    if (order.permit !== undefined) {
      const needed = () => permit2Allowance(currencyIn)
      const context = await read(order.user, currencyIn, needed)
      const permit = await readPermitContext(deps, priced, terms, context.allowance)
      return buildSteps(priced, { ...context, permit })
    }
    const needed = (contracts: ProtocolContracts) => requiredAllowance(priced, contracts)
    return buildSteps(priced, await read(order.user, currencyIn, needed))
  }
  const deposits = await Promise.all(
    priced.pricedOrigins.map(async (origin) => {
      const chain = chainIn(chains, origin.leg.input.currency.chainId)
      if (isSvm(chain)) return { funding: origin, context: svmContext(chain, stepTerms, {}) }
      const needed = (contracts: ProtocolContracts) => depositAllowance(origin, contracts)
      return { funding: origin, context: await read(origin.user, origin.leg.input, needed) }
    }),
  )
  return buildMultiSteps(priced.currencyOut.currency, deposits)
}

/** Seconds after the deadline in which a deposit is still filled, so its transaction may still run. */
const lateSecondsOf = ({ order }: QuotedPrice): number =>
  'latePaymentBps' in order && order.latePaymentBps !== undefined ? orderSeconds : 0

/** Base gas of a transaction. A call within the router's transaction does not pay it. */
const baseGas = 21_000n

/**
 * Simulates an order's `txs` on the destination chain. Earlier simulated transactions bring the output to the executor.
 * Accepts the calls if no node can simulate, or if those earlier transactions fail.
 * @throws AppError DESTINATION_TX_FAILED if a call would fail. If all calls together use more gas than the price
 * includes: DepositGasError with `gasLimitForDepositSpecifiedTxs`, else INVALID_EXTRA_TXS.
 */
async function simulateTxs(
  { simulator }: Readonly<{ simulator: TransactionPreviews }>,
  price: QuotedPrice,
  context: Parameters<typeof planTxSimulation>[1],
  limits: Pick<SwapInput, 'gasLimitForDepositSpecifiedTxs'>,
): Promise<void> {
  const { order } = price
  const { chainId } = price.currencyOut.currency
  if (order.txs.length === 0) return
  const { funding, txs } = planTxSimulation(price, context)
  const outcomes = await simulator.simulate(chainId, [...funding, ...txs])
  if (outcomes === undefined || outcomes.length !== funding.length + txs.length) return
  if (outcomes.slice(0, funding.length).some(({ succeeds }) => !succeeds)) return

  const calls = outcomes.slice(funding.length)
  const failed = calls.findIndex(({ succeeds }) => !succeeds)
  const call = txs[failed]
  if (call !== undefined) {
    const reason = calls[failed]?.reason ?? 'it reverts'
    const failedCallData = { ...call, value: `${call.value}` }
    throw new AppError(
      'DESTINATION_TX_FAILED',
      `txs.${failed}: the call would fail on chain ${chainId}: ${reason}`,
      { field: `txs.${failed}`, chainId, failedCallData },
    )
  }
  const gas = calls.reduce((sum, each) => sum + each.gas - baseGas, 0n)
  const counted = callsWork(order).gas
  if (gas <= counted) return
  if (limits.gasLimitForDepositSpecifiedTxs != null)
    throw new DepositGasError(`the txs use ${gas} gas, but it includes only ${counted}; raise it`)
  throw new AppError(
    'INVALID_EXTRA_TXS',
    `txs: the calls use ${gas} gas, but the price includes only ${counted}. Raise txsGasLimit.`,
    { field: 'txsGasLimit', gas: `${gas}`, counted: `${counted}` },
  )
}

type Spending = Readonly<{
  account: Account
  /** `undefined` if no allowance is needed. */
  needed: Allowance | undefined
  blockHash: PricedBlock['hash']
}>

/**
 * Reads the current allowance. If it is above zero but too low, simulates an approval: some currencies, such as USDT,
 * require a reset to zero first.
 * @throws AppError if no node answers.
 */
async function readApproval(
  simulator: TransactionTrials,
  { account, needed, blockHash }: Spending,
  loaders: Loaders,
): Promise<Pick<StepContext, 'allowance' | 'resetsAllowance'>> {
  if (needed === undefined) return { allowance: 0n, resetsAllowance: false }
  const { currency, spender, amount } = needed
  const allowance = await loaders.allowance({ currency, account, spender }, blockHash)
  if (allowance === 0n || allowance >= amount) return { allowance, resetsAllowance: false }
  const raise = { abi: erc20Abi, functionName: 'approve', args: [spender, amount] } as const
  const resetsAllowance = await simulator.wouldRevert({
    chainId: currency.chainId,
    from: evmAddress(account),
    to: evmAddress(currency.address),
    data: encodeFunctionData(raise),
    value: 0n,
  })
  return { allowance, resetsAllowance }
}
