import { protocolOf } from '#src/execution/protocol.ts'
import { toQuotedRequest } from '#src/operations/toQuotedRequest.ts'
import type { MultiPrice } from '#src/pricing/multiPrice.ts'
import type { Deposit } from '#src/requests/deposit.ts'
import type { InputFunding } from '#src/requests/funding.ts'
import { initialState } from '#src/requests/requestState.ts'
import { isSolverRequest, type SolverRequest } from '#src/solver/solverRequest.ts'
import { contracts, solver } from './executionArbitrary.ts'

type Hash = `0x${string}`

export type GatheringTerms = Readonly<{
  partial: boolean
  /** Seconds since 1970. */
  createdAt: number
  until: number
}>

/** What a quote of `price` stores, but its steps. */
export function gatheringRequest(price: MultiPrice, terms: GatheringTerms): SolverRequest {
  const { partial, createdAt, until } = terms
  const chainIds = [price.destination.input, ...price.fundings.map(({ leg }) => leg.input)].map(
    ({ currency }) => currency.chainId,
  )
  const protocol = protocolOf(price, {
    salt: 1n,
    chainNames: new Map(chainIds.map((id) => [id, `chain-${id}`])),
    solver,
    destinationRouter: contracts.router,
    quotedAt: createdAt,
  })
  const quoted = toQuotedRequest(
    price,
    {
      request: {},
      caller: undefined,
      gathering: { until, partial },
      createdAt: createdAt * 1000,
    },
    { requestId: `0x${'a'.repeat(64)}`, protocol, steps: [] },
  )
  const request = { ...quoted, state: initialState(quoted), version: 1 }
  if (!isSolverRequest(request)) throw new Error('Nobody fills it')
  return request
}

/** What an input orders, or another than that. */
export function depositOf(
  { inputs, orderId, requestId, createdAt }: SolverRequest,
  at: number,
  change: Partial<Deposit> = {},
): Deposit {
  const input = inputs[at]
  if (input === undefined) throw new Error(`No input ${at}`)
  const txHash: Hash = `0x${`${at}`.repeat(64)}`
  return {
    depositId: `${input.chainId}:${txHash}:0`,
    chainId: input.chainId,
    txHash,
    block: { number: 1n, hash: txHash },
    timestamp: createdAt / 1000 + 10,
    orderId,
    requestId,
    depositor: input.user,
    currency: input.depositCurrency,
    amount: input.depositAmount,
    status: 'credited',
    version: 1,
    ...change,
  }
}

/** The request once the tracker has decided all its inputs: each counts on its deposit, or was missed. */
export function decided(
  request: SolverRequest,
  deposits: readonly (Deposit | undefined)[],
): SolverRequest {
  const fundings = deposits.map(
    (each): InputFunding =>
      each === undefined ? { status: 'missed' } : { status: 'funded', depositId: each.depositId },
  )
  return { ...request, state: { ...request.state, status: 'pending', fundings } }
}
