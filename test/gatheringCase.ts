import { orderSeconds } from '#src/execution/createOrder.ts'
import { orderIdOf } from '#src/execution/orderId.ts'
import type { ProtocolOrder } from '#src/execution/protocolOrder.ts'
import type { MultiPrice } from '#src/pricing/multiPrice.ts'
import type { Deposit } from '#src/requests/deposit.ts'
import type { InputFunding } from '#src/requests/funding.ts'
import type { QuotedRequest } from '#src/requests/quotedRequest.ts'
import { initialState } from '#src/requests/requestState.ts'
import type { SolverRequest } from '#src/solver/solverRequest.ts'
import type { Address } from '#src/units/address.ts'
import { toAmount } from '#src/units/amount.ts'
import { toUsd } from '#src/units/usd.ts'

type Hash = `0x${string}`

export type GatheringTerms = Readonly<{
  requestId: Hash
  solver: Address
  partial: boolean
  /** Seconds since 1970. */
  createdAt: number
  gatheringSeconds: number
  salt?: bigint
}>

/** What a quote of `price` stores, but its steps. */
export function gatheringRequest(price: MultiPrice, terms: GatheringTerms): SolverRequest {
  const { order, destination, currencyOut, fees } = price
  const [first] = price.fundings
  const deadline = terms.createdAt + orderSeconds
  const protocol = protocolOrder(price, { ...terms, deadline })
  const payoutAmount = destination.input.amount
  const quoted = {
    requestId: terms.requestId,
    execution: 'solver',
    orderId: orderIdOf(protocol),
    order: protocol,
    inputs: price.fundings.map(({ user, refundTo, leg, payoutAmount: own }) => ({
      chainId: leg.input.currency.chainId,
      user,
      refundTo,
      currency: leg.input.currency.address,
      amount: leg.input.amount,
      depositCurrency: leg.output.currency.address,
      depositAmount: leg.output.amount,
      leastDeposit: leg.output.minimumAmount,
      payoutAmount: own,
    })),
    gathering: { until: terms.createdAt + terms.gatheringSeconds, partial: terms.partial },
    fill: {
      payoutCurrency: destination.input.currency.address,
      payoutAmount,
      mostPayout: toAmount(payoutAmount + fees.relayerService.amount),
      excludedSwapSources: [],
      enableTrueExactOutput: false,
    },
    user: order.user,
    recipient: order.recipient,
    refundTo: first.refundTo,
    originChainId: first.leg.input.currency.chainId,
    destinationChainId: order.destination.chainId,
    originCurrency: first.leg.input.currency.address,
    destinationCurrency: order.destination.address,
    tradeType: order.output === undefined ? 'EXACT_INPUT' : 'EXACT_OUTPUT',
    amountIn: first.leg.input.amount,
    amountOut: currencyOut.amount,
    minimumAmountOut: currencyOut.minimumAmount,
    steps: [],
    subsidizedUsd: fees.subsidized.usd ?? toUsd(0n),
    createdAt: terms.createdAt * 1000,
    deadline,
  } satisfies QuotedRequest
  return { ...quoted, state: initialState(quoted), version: 1 }
}

function protocolOrder(
  { fundings, order, currencyOut }: MultiPrice,
  { solver, deadline, salt = 1n }: GatheringTerms & Readonly<{ deadline: number }>,
): ProtocolOrder {
  const nameOf = (chainId: number) => `chain-${chainId}`
  return {
    version: 'v1',
    solverChainId: nameOf(fundings[0].leg.input.currency.chainId),
    solver,
    salt,
    inputs: fundings.map(({ refundTo: recipient, leg: { output } }) => {
      const { chainId: id, address: currency } = output.currency
      const chainId = nameOf(id)
      return {
        payment: { chainId, currency, amount: output.amount, weight: 1n },
        refunds: [
          { chainId, recipient, currency, minimumAmount: 0n, deadline, extraData: '0x' as const },
        ],
      }
    }),
    output: {
      chainId: nameOf(order.destination.chainId),
      payments: [
        {
          recipient: order.recipient,
          currency: order.destination.address,
          minimumAmount: currencyOut.minimumAmount,
          expectedAmount: currencyOut.amount,
        },
      ],
      deadline,
      calls: [],
      extraData: '0x',
    },
    fees: [],
  }
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
