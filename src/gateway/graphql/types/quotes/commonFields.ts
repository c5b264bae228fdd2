import { builder } from '#src/gateway/graphql/builder.ts'
import type { Executable, PriceAnswer } from '#src/operations/operations.ts'
import type { PricedBlock } from '#src/pricing/price.ts'
import { FeesType } from './feesType.ts'
import { StepType } from './stepType.ts'

/** Adds fields to the GraphQL type of `Shape`. */
export type FieldsOf<Shape> = PothosSchemaTypes.ObjectFieldBuilder<
  typeof builder.$inferSchemaTypes,
  Shape
>

const PricedBlockType = builder.objectRef<PricedBlock>('PricedBlock').implement({
  description: 'A block whose state a price is computed from.',
  fields: (t) => ({
    chainId: t.expose('chainId', { type: 'ChainId', description: 'EIP-155 id of its chain.' }),
    number: t.expose('number', { type: 'SafeInt', description: 'Block number.' }),
    hash: t.expose('hash', { type: 'Hex', description: 'Block hash, 32 bytes.' }),
    timestamp: t.expose('timestamp', {
      type: 'SafeInt',
      description: 'Block time, in seconds since 1970.',
    }),
  }),
})

/** `fees` and `blocks`: the fields of `Price`, `Quote` and `MultiInputQuote`. `maxBlocks` is for the query cost. */
export const pricedFields = (
  t: FieldsOf<Pick<PriceAnswer, 'fees' | 'blocks'>>,
  { maxBlocks }: Readonly<{ maxBlocks?: number }> = {},
) => ({
  fees: t.expose('fees', { type: FeesType, description: 'Fees by component.' }),
  blocks: t.expose('blocks', {
    type: [PricedBlockType],
    description:
      'The blocks that the answer is computed from, one for each chain, with the origin chain first.',
    extensions: { items: maxBlocks },
  }),
})

/** `requestId` and `steps`: the fields of `Quote` and `MultiInputQuote` that store a request. `maxSteps` is for the query cost. */
export const executionFields = (
  t: FieldsOf<Executable>,
  { steps, maxSteps }: Readonly<{ steps: string; maxSteps?: number }>,
) => ({
  requestId: t.field({
    type: 'Hex',
    description: 'Id of the request, 32 bytes. Selecting it stores the request.',
    resolve: (answer) => answer.requestId(),
  }),
  steps: t.field({
    type: [StepType],
    description: `${steps} Selecting them stores the request.`,
    extensions: { items: maxSteps },
    resolve: (answer) => answer.steps(),
  }),
})
