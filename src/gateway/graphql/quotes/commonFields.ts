import { AppError } from '#src/core/errors.ts'
import type { Fees, PricedBlock } from '#src/core/pricing/price.ts'
import { builder, type FieldsOf } from '#src/gateway/graphql/builder.ts'
import { CurrencyAmountType } from '#src/gateway/graphql/currencies/currencyType.ts'
import { nodeId } from '#src/gateway/graphql/nodes/nodeType.ts'
import { StepType } from '#src/gateway/graphql/steps/stepType.ts'
import type { Executable, StoredQuote } from '#src/service/answers.ts'
import { totalFeesUsd, type Warning } from '#src/service/quote/warnings.ts'
import { WarningType } from './warningType.ts'

const FeesType = builder.objectRef<Fees>('Fees').implement({
  description:
    'Fees by component. `relayer` is the sum of `relayerGas` and `relayerService`: do not add it to them. For a multi-input quote all fees are in currencies of the destination chain: `gas` in its native currency, the others in the currency that the solver spends.',
  fields: (t) => ({
    gas: t.expose('gas', {
      type: CurrencyAmountType,
      description:
        'Gas of the user’s own transactions, in the native currency of the origin chain. The wallet pays it: it does not reduce the output.',
    }),
    relayer: t.expose('relayer', {
      type: CurrencyAmountType,
      description:
        'All fees of the solver: exactly `relayerGas` + `relayerService`, in the currency that the depository receives.',
    }),
    relayerGas: t.expose('relayerGas', {
      type: CurrencyAmountType,
      description:
        'Gas of the fill on the destination chain, in the currency that the depository receives. An exact output, a fixed rate and a sponsored quote add a reserve of half, because their output does not change with the gas price. For an exact output or a fixed rate, the recipient gets the unused part.',
    }),
    relayerService: t.expose('relayerService', {
      type: CurrencyAmountType,
      description:
        'Service fee of the solver, in the currency that the depository receives: a flat fee, the gas of the settlement of the deposit and its app fees on the origin chain, and basis points that depend on the pair.',
    }),
    app: t.expose('app', {
      type: CurrencyAmountType,
      description: 'Sum of all `appFees`, in the currency that the depository receives.',
    }),
    totalUsd: t.field({
      type: 'Usd',
      nullable: true,
      description:
        'All fees that the user pays, in US dollars: `gas`, `relayer` and `app`, less `subsidized`; null if a currency has no price.',
      resolve: (fees) => totalFeesUsd(fees) ?? null,
    }),
    subsidized: t.expose('subsidized', {
      type: CurrencyAmountType,
      description:
        'The part of the fees above that a sponsor pays, in the currency that the depository receives.',
    }),
  }),
})

export const PricedBlockType = builder.objectRef<PricedBlock>('PricedBlock').implement({
  description: 'A block whose state a price is computed from.',
  fields: (t) => ({
    chainId: t.expose('chainId', { type: 'ChainId', description: 'EIP-155 id of its chain.' }),
    number: t.expose('number', {
      type: 'SafeInt',
      description: 'Height of the block; the first block of a chain has 0.',
    }),
    hash: t.expose('hash', { type: 'Hex', description: 'Block hash, 32 bytes.' }),
    timestamp: t.expose('timestamp', {
      type: 'SafeInt',
      description: 'Block time, in seconds since 1970.',
    }),
    ageMs: t.field({
      type: 'SafeInt',
      description:
        'Milliseconds from the block time to this answer, by the clock of the chain; 0 for a block time in the future. Prices of blocks that are too old are refused with STALE_MARKET.',
      resolve: (block, _, { operations }) => operations.ageMs(block),
    }),
  }),
})

type Priced = Readonly<{
  fees: Fees
  blocks: readonly PricedBlock[]
  warnings: () => Promise<readonly Warning[]>
}>

/** `fees`, `warnings` and `blocks`: the fields of `Price`, `Quote` and `MultiInputQuote`. `maxBlocks` is for the query cost. */
export const pricedFields = <Answer extends object>(
  t: FieldsOf<Answer>,
  priceOf: (answer: Answer) => Priced,
  { maxBlocks }: Readonly<{ maxBlocks?: number }> = {},
) => ({
  fees: t.field({
    type: FeesType,
    description:
      'Fees by component: gas, solver and frontend. `gas` is paid in addition to the input; the others are part of the input.',
    resolve: (answer) => priceOf(answer).fees,
  }),
  blocks: t.field({
    type: [PricedBlockType],
    description:
      'The blocks that the answer is computed from, one for each chain, with the origin chain first; empty for the price of another service.',
    extensions: { items: maxBlocks },
    resolve: (answer) => priceOf(answer).blocks,
  }),
  warnings: t.field({
    type: [WarningType],
    description:
      'What the user should know before paying: impact of the swaps, high fees, a quote that would be refused, and the like; empty if all is well. A quote also reads whether the user and the recipient are contracts, which needs RPC calls.',
    resolve: (answer) => priceOf(answer).warnings(),
  }),
})

/** The price of a quote. @throws AppError NOT_FOUND for a stored quote, whose price is not stored. */
export function quotedPriceOf<Answer extends object>(quote: Answer | StoredQuote): Answer {
  if (!('storedAs' in quote)) return quote
  throw new AppError(
    'NOT_FOUND',
    'A quote that is found by its id has only its stored fields: requestId, steps, protocol and depositDeadline. Its price is not stored',
  )
}

/**
 * `id`, `requestId` and `steps`: the fields of `Quote` and `MultiInputQuote` that store a request. `maxSteps` is for
 * the query cost.
 */
export const executionFields = (
  t: FieldsOf<Executable>,
  type: StoredQuote['storedAs'],
  { steps, maxSteps }: Readonly<{ steps: string; maxSteps?: number }>,
) => ({
  id: nodeId(
    t,
    type,
    async (answer) => [await answer.quoteId()],
    'Selecting it stores the request. It contains the order id, so it is secret like the steps until a deposit is found.',
  ),
  requestId: t.field({
    type: 'RequestId',
    description: 'Id of the request, for `requestStatus`. Selecting it stores the request.',
    resolve: (answer) => answer.requestId(),
  }),
  steps: t.field({
    type: [StepType],
    description: `${steps} Selecting them stores the request.`,
    extensions: { items: maxSteps },
    resolve: async (answer) => {
      const [quoteId, steps] = await Promise.all([answer.quoteId(), answer.steps()])
      return steps.map((step, at) => ({ ...step, quoteId, at }))
    },
  }),
})
