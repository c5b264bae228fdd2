import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Hash } from 'viem'
import type { ChainConfig, Config } from '#src/config/config.ts'
import { AppError } from '#src/core/errors.ts'
import { requireUsdQuoted } from '#src/core/pricing/conversion.ts'
import { evmGas, reservedCallCost } from '#src/core/pricing/gas/gas.ts'
import { type Address, nativeAddress } from '#src/core/units/address.ts'
import { divUp } from '#src/core/units/arithmetic.ts'
import { toUsd, type Usd, usdValueDown } from '#src/core/units/usd.ts'
import type { MarketSnapshots, Simulations } from '#src/market/markets.ts'
import type { NativeBalances } from '#src/market/reads/transactionSimulator.ts'
import type { ProtocolContracts } from '#src/protocol/contracts/protocolContracts.ts'
import { advance } from '#src/requests/machine.ts'
import { isOpenCall, type RelayedCall, type RelayedCallStore } from '#src/requests/relayedCall.ts'
import {
  type BatchStore,
  type RequestReads,
  UnknownRequestError,
} from '#src/requests/requestStore.ts'
import { isAwaiting, type StoredRequest } from '#src/requests/state/requestState.ts'
import { isSolverRequest, type SolverRequest } from '#src/requests/state/solverRequest.ts'
import type { Caller, Client, Identify } from '#src/service/callers.ts'
import type { ExecuteInput } from '#src/service/input/executeInput.ts'
import { FieldError, UnsupportedChainError } from '#src/service/input/fieldError.ts'
import { createGasBudgets, type GasBudgets } from '#src/service/limits/gasBudgets.ts'
import { checkAuthorities, readAuthorizations } from '#src/service/order/authorizations.ts'
import { estimateCall, requireDeposit, type SimulatedCall } from './callSimulation.ts'

/** A call was accepted. */
export type ExecutedCall = Readonly<{
  /** For people. */
  message: string
  /** Id of the quoted request that the call deposits for, else of the call itself. */
  requestId: Hash
}>

/** The public state of a call. */
export type RelayedCallAnswer = Pick<
  RelayedCall,
  | 'requestId'
  | 'chainId'
  | 'isQuoted'
  | 'status'
  | 'failReason'
  | 'reason'
  | 'txHash'
  | 'createdAt'
  | 'updatedAt'
>

/** Calls that the relayer sends for API keys. */
export type RelayedCallService = Readonly<{
  /**
   * Accepts a call. The relayer sends it and pays its gas. The same call under the same request or idempotency key is
   * sent once. After an error nothing has happened.
   * @throws AppError UNAUTHORIZED; FORBIDDEN; UNSUPPORTED_EXECUTION_TYPE; INVALID_REQUEST; UNSUPPORTED_CHAIN;
   * CHAIN_DISABLED; UNKNOWN_REQUEST; CALL_REVERTED; GAS_BUDGET_EXCEEDED; RATE_LIMITED; STALE_MARKET;
   * PRICE_FETCH_FAILED; RPC_HTTP_ERROR; OVERLOADED; SERVICE_UNAVAILABLE
   */
  execute: (input: ExecuteInput, client: Client) => Promise<ExecutedCall>
  /** The calls under a request id, the oldest first. @throws AppError SERVICE_UNAVAILABLE */
  relayedCalls: (requestId: Hash) => Promise<readonly RelayedCallAnswer[]>
}>

type Deps = Omit<ExecuteDeps, 'budgets' | 'requests'> &
  Readonly<{
    requests: ExecuteDeps['requests'] & RelayedCallStore
  }>

export function createRelayedCallService(deps: Deps): RelayedCallService {
  const { relayer } = deps.config
  const budgets = relayer && createGasBudgets(deps, relayer.gasBudgetUsd)
  return {
    execute: (input, client) => execute({ ...deps, budgets }, input, client),
    relayedCalls: deps.requests.relayedCallsOf,
  }
}

export type ExecuteDeps = Readonly<{
  config: Config
  requests: RequestReads & RelayedCallStore & BatchStore
  market: Simulations & MarketSnapshots
  identify: Identify
  /** Undefined without a relayer. */
  budgets: GasBudgets | undefined
  /** Milliseconds since 1970. */
  now: () => number
  randomHash: () => Hash
}>

type Relayer = NonNullable<Config['relayer']>

/** What was asked, by whom. */
type Asked = Readonly<{
  input: ExecuteInput
  caller: Caller
  relayer: Relayer
  budgets: GasBudgets
  chain: ChainConfig & Readonly<{ contracts: ProtocolContracts }>
  requestId: Hash
  call: RelayedCall['call']
}>

/** The estimate grows by 30 %: transactions before it may make it cost a little more. */
const margin = { numerator: 13n, denominator: 10n }

/**
 * Accepts a call of an API key, which the relayer then sends. Simulates it first. The same call under the same request or
 * idempotency key is accepted once.
 * @throws AppError UNAUTHORIZED; FORBIDDEN; UNSUPPORTED_EXECUTION_TYPE without a relayer; INVALID_REQUEST; UNSUPPORTED_CHAIN;
 * CHAIN_DISABLED; UNKNOWN_REQUEST; CALL_REVERTED; GAS_BUDGET_EXCEEDED; RATE_LIMITED; those of `price` for a market that is not
 * current; RPC_HTTP_ERROR; OVERLOADED; SERVICE_UNAVAILABLE. Nothing has happened then.
 */
export async function execute(
  deps: ExecuteDeps,
  input: ExecuteInput,
  client: Client,
): Promise<ExecutedCall> {
  const asked = readAsked(deps, input, client)
  for (;;) {
    const answer = await tryExecute(deps, asked)
    if (answer !== 'conflict') return answer
  }
}

function readAsked(deps: ExecuteDeps, input: ExecuteInput, { apiKey }: Client): Asked {
  const { config, budgets } = deps
  const { relayer, solver } = config
  const caller = deps.identify(apiKey)
  if (caller === undefined)
    throw new AppError('UNAUTHORIZED', 'x-api-key: calls are sent for API keys alone. Send yours.')
  if (relayer === undefined || budgets === undefined) throw new NoRelayerError()
  if (input.subsidizeFees && !caller.sponsors)
    throw new AppError('FORBIDDEN', `subsidizeFees: ${caller.name} is not a sponsor.`, {
      field: 'subsidizeFees',
    })
  const chain = chainOf(config.chains, input.chainId)
  const { address, identity = address, allocator = address } = solver
  // A call to the relayer itself would look like a cancellation.
  if (input.to === relayer.address)
    throw new FieldError('INVALID_REQUEST', ['to'], 'must not be the relayer itself')
  const { authorizationList } = readAuthorizations(
    { authorizationList: input.authorizationList, destinationChainId: chain.id },
    [relayer.address, address, identity, allocator],
    'the chain of the call',
  )
  const { to, data } = input
  return {
    input,
    caller,
    relayer,
    budgets,
    chain,
    requestId: requestIdOf(deps, input, caller),
    call: { to, data, ...(authorizationList !== undefined && { authorizationList }) },
  }
}

function chainOf(chains: Config['chains'], chainId: number): Asked['chain'] {
  const chain = chains.find(({ id }) => id === chainId)
  if (chain === undefined) throw new UnsupportedChainError(['chainId'], chainId, chains)
  const { contracts } = chain
  if (contracts === undefined) throw new NoRelayerError(chain.id)
  if (chain.disabled)
    throw new AppError('CHAIN_DISABLED', `chainId: chain ${chainId} is disabled.`, { chainId })
  return { ...chain, contracts }
}

class NoRelayerError extends AppError {
  constructor(chainId?: number) {
    const where = chainId === undefined ? 'This service' : `On chain ${chainId} this service`
    super(
      'UNSUPPORTED_EXECUTION_TYPE',
      `${where} has no relayer, which would send the call. Send the transactions from the user’s wallet.`,
    )
  }
}

/** An idempotency key names one call of its API key. */
function requestIdOf(
  { randomHash }: ExecuteDeps,
  { requestId, idempotencyKey }: ExecuteInput,
  { name }: Caller,
): Hash {
  if (requestId != null) return requestId
  if (idempotencyKey == null) return randomHash()
  const named = JSON.stringify(['relayedCall', name, idempotencyKey])
  return `0x${createHash('sha256').update(named).digest('hex')}`
}

async function tryExecute(deps: ExecuteDeps, asked: Asked): Promise<ExecutedCall | 'conflict'> {
  const { requests, now } = deps
  const { requestId, chain, relayer, caller, call, input } = asked
  const isQuoted = input.requestId != null
  const request = isQuoted ? await requireRequest(requests, requestId) : undefined
  const earlier = (await requests.relayedCallsOf(requestId)).filter(
    (each) => !isQuoted || each.chainId === chain.id,
  )
  if (isAccepted(asked, earlier)) return accepted(requestId)
  if (request !== undefined) requireAwaiting(request, now())
  const checked = await checkCall(deps, asked, request)
  const at = now()
  const limit = await asked.budgets.admit(caller, checked.chargedUsd)
  const stored: RelayedCall = {
    version: 0,
    requestId,
    chainId: chain.id,
    relayer: relayer.address,
    apiKey: caller.name,
    isQuoted,
    call,
    ...checked,
    status: 'queued',
    dueAt: at,
    createdAt: at,
    updatedAt: at,
    callId: isQuoted ? `${requestId}:${chain.id}:${earlier.length}` : requestId,
  }
  const state = request && advance(request, { type: 'callAccepted' }, at)
  const saved = await requests.save({
    relayedCalls: [stored],
    gasBudgets: [limit],
    ...(request !== undefined &&
      state !== undefined &&
      state !== request.state && { requests: [{ ...request, state }] }),
  })
  return saved === 'conflict' ? saved : accepted(requestId)
}

const accepted = (requestId: Hash): ExecutedCall => ({
  message: 'Transaction submitted',
  requestId,
})

/**
 * Whether the same call was accepted before. A quoted request may have another one once the earlier ones have ended without
 * a deposit.
 * @throws FieldError if another call was
 */
function isAccepted({ call, chain, input }: Asked, earlier: readonly RelayedCall[]): boolean {
  const isSame = (each: RelayedCall) =>
    each.chainId === chain.id && isDeepStrictEqual(each.call, call)
  const isQuoted = input.requestId != null
  const standing = isQuoted ? earlier.filter(({ status }) => status !== 'failed') : earlier
  if (standing.some(isSame)) return true
  const isTaken = isQuoted ? standing.some(isOpenCall) : standing.length > 0
  if (isTaken)
    throw new FieldError(
      'INVALID_REQUEST',
      [isQuoted ? 'requestId' : 'idempotencyKey'],
      isQuoted ? 'another call for it is being sent' : 'was used for another call',
    )
  return false
}

async function requireRequest({ find }: RequestReads, requestId: Hash): Promise<SolverRequest> {
  const request: StoredRequest | undefined = await find(requestId)
  if (request === undefined) throw new UnknownRequestError(requestId)
  if (!isSolverRequest(request))
    throw new FieldError(
      'INVALID_REQUEST',
      ['requestId'],
      'is not of a request that is paid by a deposit here; leave it out',
    )
  return request
}

function requireAwaiting({ state, deadline }: SolverRequest, now: number): void {
  const refuse = (problem: string) => new FieldError('INVALID_REQUEST', ['requestId'], problem)
  if (!isAwaiting(state.status))
    throw refuse(`the request is ${state.status}, and awaits no deposit`)
  if (now > deadline * 1000) throw refuse('the quote has expired')
}

/** Simulates the call, and says what it may use and cost. */
async function checkCall(
  { market }: ExecuteDeps,
  { chain, relayer, call, input }: Asked,
  request: SolverRequest | undefined,
): Promise<Readonly<{ gas: bigint; maxCost: bigint; chargedUsd: Usd }>> {
  const { simulator } = market
  const simulated: SimulatedCall = {
    chainId: chain.id,
    from: relayer.address,
    value: 0n,
    ...call,
  }
  await checkAuthorities({ simulator }, chain.id, call.authorizationList ?? [])
  const used = await estimateCall(simulator, simulated)
  const gas = limitOf(used, input.originGasOverhead ?? 0n, relayer)
  if (request !== undefined) {
    const { depository } = chain.contracts
    await requireDeposit(simulator, simulated, { request, depository })
  }
  const { gas: gasMarket, usdPrices } = marketOf(market, chain)
  const maxCost = reservedCallCost(evmGas(gasMarket), call, gas)
  await requireGasMoney(simulator, chain, relayer.address, maxCost)
  const native = { ...chain.nativeCurrency, chainId: chain.id, address: nativeAddress }
  const { decimals, price } = requireUsdQuoted({ usdPrices }, native)
  // Rounded up: no call is free.
  return { gas, maxCost, chargedUsd: toUsd(usdValueDown(maxCost, decimals, price) + 1n) }
}

function limitOf(used: bigint, overhead: bigint, { maxGas }: Relayer): bigint {
  const most = BigInt(maxGas)
  if (used > most)
    throw new FieldError(
      'INVALID_REQUEST',
      ['data'],
      `the call uses ${used} gas, more than the ${maxGas} that the relayer allows`,
      { gas: `${used}`, maxGas },
    )
  const limit = divUp(used * margin.numerator, margin.denominator) + overhead
  return limit < most ? limit : most
}

function marketOf({ snapshot }: MarketSnapshots, { id }: ChainConfig) {
  const found = snapshot([id]).chains.get(id)
  if (found === undefined) throw new Error(`The snapshot lacks chain ${id}`)
  return found
}

async function requireGasMoney(
  { nativeBalance }: NativeBalances,
  { id: chainId }: ChainConfig,
  relayer: Address,
  needed: bigint,
): Promise<void> {
  if ((await nativeBalance(chainId, relayer)) >= needed) return
  throw new AppError(
    'SERVICE_UNAVAILABLE',
    `The relayer lacks gas money on chain ${chainId}: the operator has to send it some. Send the transactions from the user’s wallet.`,
    { chainId },
  )
}
