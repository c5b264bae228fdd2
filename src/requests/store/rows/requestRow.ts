import { z } from 'zod'
import { toAmount } from '#src/core/units/amount.ts'
import type { Authorization } from '#src/core/units/authorization.ts'
import { toBps } from '#src/core/units/bps.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { toUsd } from '#src/core/units/usd.ts'
import type { ProtocolOrder } from '#src/protocol/order/protocolOrder.ts'
import type { Permit } from '#src/protocol/permit.ts'
import type { SignatureItem, Step } from '#src/protocol/step.ts'
import {
  executions,
  type FillTerms,
  type FundingTerms,
  type OpenTerms,
  type QuotedRequest,
  type QuoteSummary,
  type RequestInput,
  type SolverExecution,
  tradeTypes,
} from '#src/requests/quotedRequest.ts'
import { initialState, type StoredRequest } from '#src/requests/state/requestState.ts'
import {
  account,
  address,
  amount,
  bigint,
  chainId,
  hash,
  hex,
  jsonAmount,
  parseState,
  presentIn,
} from '#src/requests/state/stateJson.ts'
import { requestTable } from '#src/requests/store/tables/requestTable.ts'
import { encodeRow } from './encodeRow.ts'
import { svmTransactionData } from './svm/transactionRow.ts'

const payment = { chainId, currency: address, payer: address, amount: bigint }

const domain = z.object({ name: z.string(), version: z.string() })

const run = z.object({
  relayer: address,
  approvalProxy: address,
  // The router's calls may neither fail nor carry a value.
  calls: z.array(
    z.object({
      target: address,
      allowFailure: z.literal(false),
      value: z.literal('0').transform(() => 0n as const),
      callData: hex,
    }),
  ),
  refundTo: address,
  nftRecipient: address,
  metadata: hash,
})

const permit: z.ZodType<Permit> = z.discriminatedUnion('kind', [
  z.object({ ...payment, kind: z.literal('eip3009'), domain, validBefore: z.int(), run }),
  z.object({ ...payment, kind: z.literal('permit2'), nonce: bigint, deadline: z.int(), run }),
  z.object({ ...payment, kind: z.literal('eip2612'), domain, nonce: bigint, deadline: z.int() }),
])

const check = z.object({ endpoint: z.string(), method: z.literal('GET') })

/** A signature that a step of a stored quote asks for. */
const signatureItem: z.ZodType<SignatureItem> = z.object({
  permit,
  api: z.enum(['swap', 'user-swap']),
  maxCost: bigint.exactOptional(),
  check: check.exactOptional(),
})

/** The row of a new request as JSON. */
export const encodeRequest = (request: QuotedRequest): string =>
  encodeRow(requestTable, {
    ...request,
    ...(request.execution === 'solver' && storedNames(request)),
    ...(request.execution === 'upstream' && { upstreamDueAt: request.createdAt }),
    status: 'waiting',
    seq: 0,
    incomplete: false,
    version: 1,
  })

/** The property names of old rows in some JSON columns. */
const storedNames = ({ fill: { maxPayout, ...terms }, funding }: SolverExecution) => ({
  fill: { ...terms, mostPayout: maxPayout },
  ...(funding && { funding: { until: funding.depositDeadline, partial: funding.partial } }),
})

/** @throws ZodError or RangeError for an invalid row. */
export function parseRequest(row: typeof requestTable.$inferSelect): StoredRequest {
  const { state, incomplete: _, upstreamDueAt: __, evictedAt: ___, ...rest } = presentIn(row)
  const request = saved.parse(rest)
  return { ...request, state: state === undefined ? initialState(request) : parseState(state) }
}

const transactionData = z.object({
  from: address,
  to: address,
  data: hex,
  value: bigint,
  chainId,
  maxFeePerGas: bigint,
  maxPriorityFeePerGas: bigint,
  isFirst: z.boolean(),
  leastGas: bigint.exactOptional(),
})

const step: z.ZodType<Step> = z.object({
  id: z.enum(['approve', 'deposit', 'swap', 'send', 'authorize1', 'authorize2']),
  action: z.string(),
  description: z.string(),
  kind: z.enum(['transaction', 'signature']),
  requestId: hash,
  depositAddress: z.union([z.literal(''), account]).exactOptional(),
  items: z.array(
    z.object({
      status: z.literal('incomplete'),
      data: transactionData,
      check: check.exactOptional(),
    }),
  ),
  signature: signatureItem.exactOptional(),
  svmItem: z.object({ data: svmTransactionData, check: check.exactOptional() }).exactOptional(),
})

const protocolOrder: z.ZodType<ProtocolOrder> = z.object({
  version: z.literal('v1'),
  solverChainId: z.string(),
  solver: address,
  salt: bigint,
  inputs: z.array(
    z.object({
      payment: z.object({ chainId: z.string(), currency: account, amount: bigint, weight: bigint }),
      refunds: z.array(
        z.object({
          chainId: z.string(),
          recipient: account,
          currency: account,
          minimumAmount: bigint,
          deadline: z.int(),
          extraData: hex,
        }),
      ),
    }),
  ),
  output: z.object({
    chainId: z.string(),
    payments: z.array(
      z.object({
        recipient: account,
        currency: account,
        minimumAmount: bigint,
        expectedAmount: bigint,
      }),
    ),
    deadline: z.int(),
    calls: z.array(hex),
    extraData: hex,
  }),
  fees: z.array(
    z.object({
      recipientChainId: z.string(),
      recipient: account,
      currencyChainId: z.string(),
      currency: account,
      amount: bigint,
    }),
  ),
})

export const authorization: z.ZodType<Authorization> = z.object({
  chainId: z.int(),
  address,
  nonce: z.int(),
  yParity: z.int(),
  r: hash,
  s: hash,
  authority: address,
})

const fillTerms: z.ZodType<FillTerms> = z
  .object({
    payoutCurrency: account,
    payoutAmount: jsonAmount,
    mostPayout: jsonAmount,
    includedSwapSources: z.array(z.string()).exactOptional(),
    excludedSwapSources: z.array(z.string()),
    maxRouteLength: z.int().exactOptional(),
    txsGasLimit: bigint.exactOptional(),
    authorizationList: z.array(authorization).exactOptional(),
    latePaymentBps: bigint.transform(toBps).exactOptional(),
    externalLiquiditySeconds: z.int().exactOptional(),
    topupUsd: bigint.transform(toUsd).exactOptional(),
    hasFixedRate: z.literal(true).exactOptional(),
    enableTrueExactOutput: z.boolean(),
    hasTokenAccount: z.literal(true).exactOptional(),
  })
  .transform(({ mostPayout, ...terms }) => ({ ...terms, maxPayout: mostPayout }))

/** An element of the column `inputs`. */
export const input: z.ZodType<RequestInput> = z.object({
  chainId,
  user: account,
  refundTo: account,
  currency: account,
  amount: jsonAmount,
  depositCurrency: account,
  depositAmount: jsonAmount,
  leastDeposit: jsonAmount,
  payoutAmount: jsonAmount,
  // Absent in rows from before quotes charged for settlements.
  settlement: jsonAmount.default(toAmount(0n)),
  // Absent in rows from before the surplus paid fees.
  surplusBps: bigint.prefault('0').transform(toBps),
})

const funding: z.ZodType<FundingTerms> = z
  .object({ until: z.int(), partial: z.boolean() })
  .transform(({ until, partial }) => ({ depositDeadline: until, partial }))

const openTerms: z.ZodType<OpenTerms> = z.object({
  slippageTolerance: bigint.transform(toBps).exactOptional(),
  overridePriceImpact: z.literal(true).exactOptional(),
  appFees: z.array(z.object({ recipient: account, fee: bigint.transform(toBps) })).exactOptional(),
  sponsoredUsd: bigint.transform(toUsd).exactOptional(),
})

const quoted = {
  amount: jsonAmount,
  usd: bigint.transform(toUsd).exactOptional(),
}

const summary: z.ZodType<QuoteSummary> = z.object({
  inUsd: quoted.usd,
  outUsd: quoted.usd,
  rate: z.string(),
  slippageBps: bigint.transform(toBps),
  timeEstimate: z.int().min(0),
  gas: z.object({ ...quoted, chainId }),
  feeCurrency: z.object({ chainId, address: account }),
  relayerGas: z.object(quoted),
  relayerService: z.object(quoted),
  app: z.object(quoted),
  appFees: z.array(z.object({ ...quoted, recipient: account, bps: bigint.transform(toBps) })),
  topup: z.object(quoted).exactOptional(),
})

const shared = {
  requestId: hash,
  user: account,
  recipient: account,
  refundTo: account,
  originChainId: chainId,
  destinationChainId: chainId,
  originCurrency: account,
  destinationCurrency: account,
  tradeType: z.enum(tradeTypes),
  amountIn: amount,
  amountOut: amount,
  minimumAmountOut: amount,
  steps: z.array(step),
  referrer: z.string().exactOptional(),
  referrerAddress: account.exactOptional(),
  apiKey: z.string().exactOptional(),
  quota: z.string().exactOptional(),
  subsidizedUsd: z.bigint().transform(toUsd),
  summary: summary.exactOptional(),
  createdAt: z.int(),
  deadline: z.int(),
  version: z.int().min(1),
}

const currency: z.ZodType<Currency> = z.object({
  chainId,
  address: account,
  symbol: z.string(),
  name: z.string(),
  decimals: z.int().min(0).max(255),
  metadata: z.object({
    logoURI: z.string().exactOptional(),
    verified: z.boolean(),
    isNative: z.boolean(),
  }),
})

const [user, solver, upstream] = executions

const saved: z.ZodType<QuotedRequest & Pick<StoredRequest, 'version'>> = z.discriminatedUnion(
  'execution',
  [
    z.object({ ...shared, execution: z.literal(user) }),
    z.object({
      ...shared,
      execution: z.literal(solver),
      orderId: hash,
      order: protocolOrder,
      inputs: z.array(input),
      funding: funding.exactOptional(),
      depositAddress: account.exactOptional(),
      depositor: account.exactOptional(),
      open: openTerms.exactOptional(),
      parentId: hash.exactOptional(),
      fill: fillTerms,
    }),
    z.object({
      ...shared,
      execution: z.literal(upstream),
      upstream: z.object({
        service: z.string(),
        requestId: hash,
        currencies: z.object({ origin: currency, destination: currency }),
      }),
    }),
  ],
)
