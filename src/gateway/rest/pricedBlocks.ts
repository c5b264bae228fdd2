import { z } from 'zod'
import type { PricedBlock } from '#src/core/pricing/price.ts'
import type { Operations } from '#src/service/operations.ts'
import { component, hashText } from './bodies/bodySchema.ts'

const pricedBlockBody = component(
  'PricedBlock',
  z.object({
    chainId: z.int(),
    number: z.int().min(0),
    hash: hashText,
    timestamp: z.int().min(0),
    ageMs: z.int().min(0),
  }),
)

export const blocksBody = z
  .array(pricedBlockBody)
  .describe(
    'The blocks that the answer is computed from, one for each chain, with the origin chain first; empty for the price of another service.',
  )

export const encodeBlocks = (
  blocks: readonly PricedBlock[],
  { ageMs }: Operations,
): z.input<typeof blocksBody> =>
  blocks.map((block) => ({
    chainId: block.chainId,
    number: Number(block.number),
    hash: block.hash,
    timestamp: Number(block.timestamp),
    ageMs: ageMs(block),
  }))
