import fc from 'fast-check'
import type { Authorization } from '#src/core/units/authorization.ts'
import { toBps } from '#src/core/units/bps.ts'
import { toUsd } from '#src/core/units/usd.ts'
import type { ProtocolOrder } from '#src/protocol/order/protocolOrder.ts'
import type { Step, StepItem, SvmItem } from '#src/protocol/step.ts'
import { type SvmTransactionData, toStepInstruction } from '#src/protocol/svm/transactionData.ts'
import type {
  FillTerms,
  FundingTerms,
  OpenTerms,
  QuotedAmount,
  QuotedRequest,
  QuoteSummary,
  RequestInput,
} from '#src/requests/quotedRequest.ts'
import { signatureItem } from './signatureArbitrary.ts'
import { message, pubkey } from './svmArbitrary.ts'
import {
  type All,
  address,
  amount,
  calldata,
  chainId,
  hash,
  list,
  moment,
  text,
  uint256,
} from './valueArbitrary.ts'

const protocolOrder: fc.Arbitrary<ProtocolOrder> = fc.record({
  version: fc.constant('v1'),
  solverChainId: text,
  solver: address,
  salt: uint256,
  inputs: list(
    fc.record({
      payment: fc.record({ chainId: text, currency: address, amount: uint256, weight: uint256 }),
      refunds: list(
        fc.record({
          chainId: text,
          recipient: address,
          currency: address,
          minimumAmount: uint256,
          deadline: moment,
          extraData: calldata,
        }),
      ),
    }),
  ),
  output: fc.record({
    chainId: text,
    payments: list(
      fc.record({
        recipient: address,
        currency: address,
        minimumAmount: uint256,
        expectedAmount: uint256,
      }),
    ),
    deadline: moment,
    calls: list(calldata),
    extraData: calldata,
  }),
  fees: list(
    fc.record({
      recipientChainId: text,
      recipient: address,
      currencyChainId: text,
      currency: address,
      amount: uint256,
    }),
  ),
})

const check = fc.record({ endpoint: text, method: fc.constant('GET') })

const svmTransactionData: fc.Arbitrary<SvmTransactionData> = fc.record({
  chainId,
  payer: pubkey,
  instructions: message.map(({ instructions }) => instructions.map(toStepInstruction)),
})

const step: fc.Arbitrary<Step> = fc.record(
  {
    id: fc.constantFrom('approve', 'deposit', 'swap', 'send', 'authorize1', 'authorize2'),
    action: text,
    description: text,
    kind: fc.constantFrom('transaction', 'signature'),
    requestId: hash,
    depositAddress: fc.constant(''),
    items: list(
      fc.record(
        {
          status: fc.constant('incomplete'),
          data: fc.record(
            {
              from: address,
              to: address,
              data: calldata,
              value: uint256,
              chainId,
              maxFeePerGas: uint256,
              maxPriorityFeePerGas: uint256,
              isFirst: fc.boolean(),
              leastGas: uint256,
            } satisfies All<StepItem['data']>,
            {
              requiredKeys: [
                'from',
                'to',
                'data',
                'value',
                'chainId',
                'maxFeePerGas',
                'maxPriorityFeePerGas',
                'isFirst',
              ],
            },
          ),
          check,
        } satisfies All<StepItem>,
        { requiredKeys: ['status', 'data'] },
      ),
    ),
    signature: signatureItem,
    svmItem: fc.record({ data: svmTransactionData, check } satisfies All<SvmItem>, {
      requiredKeys: ['data'],
    }),
  } satisfies All<Step>,
  { requiredKeys: ['id', 'action', 'description', 'kind', 'requestId', 'items'] },
)

const authorization = fc.record({
  chainId: fc.nat(),
  address,
  nonce: fc.nat(),
  yParity: fc.nat({ max: 1 }),
  r: hash,
  s: hash,
  authority: address,
} satisfies All<Authorization>)

const shared = {
  requestId: hash,
  user: address,
  recipient: address,
  refundTo: address,
  originChainId: chainId,
  destinationChainId: chainId,
  originCurrency: address,
  destinationCurrency: address,
  tradeType: fc.constantFrom('EXACT_INPUT', 'EXACT_OUTPUT', 'EXPECTED_OUTPUT'),
  amountIn: amount,
  amountOut: amount,
  minimumAmountOut: amount,
  steps: list(step),
  subsidizedUsd: fc.bigInt(0n, 10n ** 18n).map(toUsd),
  createdAt: moment,
  deadline: moment,
} as const

const usd = fc.bigInt(0n, 10n ** 18n).map(toUsd)
const quotedAmount = { amount, usd } satisfies All<QuotedAmount>
const bps = fc.bigInt(0n, 10_000n).map(toBps)

const summary = fc.record(
  {
    inUsd: usd,
    outUsd: usd,
    rate: text,
    slippageBps: bps,
    timeEstimate: fc.nat(),
    gas: fc.record({ ...quotedAmount, chainId }, { requiredKeys: ['amount', 'chainId'] }),
    feeCurrency: fc.record({ chainId, address }),
    relayerGas: fc.record(quotedAmount, { requiredKeys: ['amount'] }),
    relayerService: fc.record(quotedAmount, { requiredKeys: ['amount'] }),
    app: fc.record(quotedAmount, { requiredKeys: ['amount'] }),
    appFees: list(fc.record({ ...quotedAmount, recipient: address, bps })),
    topup: fc.record(quotedAmount, { requiredKeys: ['amount'] }),
  } satisfies All<QuoteSummary>,
  {
    requiredKeys: [
      'rate',
      'slippageBps',
      'timeEstimate',
      'gas',
      'feeCurrency',
      'relayerGas',
      'relayerService',
      'app',
      'appFees',
    ],
  },
)

type Optional = Omit<QuotedRequest, keyof typeof shared | 'execution'>

const optional = fc.record(
  {
    referrer: text,
    referrerAddress: address,
    apiKey: text,
    quota: text,
    summary,
  } satisfies All<Optional>,
  { requiredKeys: [] },
)

const execution = fc.oneof(
  fc.record({ execution: fc.constant('user') }),
  fc.record(
    {
      execution: fc.constant('solver'),
      orderId: hash,
      order: protocolOrder,
      inputs: list(
        fc.record({
          chainId,
          user: address,
          refundTo: address,
          currency: address,
          amount,
          depositCurrency: address,
          depositAmount: amount,
          leastDeposit: amount,
          payoutAmount: amount,
          settlement: amount,
          surplusBps: fc.bigInt(0n, 10_000n).map(toBps),
        } satisfies All<RequestInput>),
      ),
      fill: fc.record(
        {
          payoutCurrency: address,
          payoutAmount: amount,
          maxPayout: amount,
          includedSwapSources: list(text),
          excludedSwapSources: list(text),
          maxRouteLength: fc.integer({ min: 1, max: 6 }),
          txsGasLimit: uint256,
          authorizationList: list(authorization),
          latePaymentBps: bps,
          externalLiquiditySeconds: fc.nat(),
          topupUsd: fc.bigInt(0n, 10n ** 9n).map(toUsd),
          enableTrueExactOutput: fc.boolean(),
          hasTokenAccount: fc.constant(true as const),
          hasFixedRate: fc.constant(true as const),
        } satisfies All<FillTerms>,
        {
          requiredKeys: [
            'payoutCurrency',
            'payoutAmount',
            'maxPayout',
            'excludedSwapSources',
            'enableTrueExactOutput',
          ],
        },
      ),
      funding: fc.record({
        depositDeadline: moment,
        partial: fc.boolean(),
      } satisfies All<FundingTerms>),
      depositAddress: address,
      depositor: address,
      open: fc.record(
        {
          slippageTolerance: bps,
          overridePriceImpact: fc.constant(true),
          appFees: list(fc.record({ recipient: address, fee: bps })),
          sponsoredUsd: fc.bigInt(0n, 10n ** 9n).map(toUsd),
        } satisfies All<OpenTerms>,
        { requiredKeys: [] },
      ),
      parentId: hash,
    },
    { requiredKeys: ['execution', 'orderId', 'order', 'inputs', 'fill'] },
  ),
)

/** Requests that cover all stored fields. The caller must choose distinct ids. */
export const requestArbitrary: fc.Arbitrary<QuotedRequest> = fc
  .tuple(fc.record(shared), optional, execution)
  // Generated records have no prototype, unlike those that code creates.
  .map(([one, other, rest]) => structuredClone({ ...one, ...other, ...rest }))
