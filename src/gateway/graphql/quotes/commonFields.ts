import { AppError } from '#src/core/errors.ts'
import type { Fees, PricedBlock } from '#src/core/pricing/price.ts'
import { builder, type FieldsOf } from '#src/gateway/graphql/builder.ts'
import { nodeId } from '#src/gateway/graphql/nodes/nodeType.ts'
import { StepType } from '#src/gateway/graphql/steps/stepType.ts'
import type { Executable, StoredQuote } from '#src/service/operations.ts'
import { FeesType } from './feesType.ts'

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

/** `fees` and `blocks`: the fields of `Price`, `Quote` and `MultiInputQuote`. `maxBlocks` is for the query cost. */
export const pricedFields = <Answer extends object>(
  t: FieldsOf<Answer>,
  priceOf: (answer: Answer) => Readonly<{ fees: Fees; blocks: readonly PricedBlock[] }>,
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
