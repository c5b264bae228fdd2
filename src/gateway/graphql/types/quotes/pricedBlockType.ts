import { builder } from '#src/gateway/graphql/builder.ts'
import type { PricedBlock } from '#src/pricing/price.ts'

export const PricedBlockType = builder.objectRef<PricedBlock>('PricedBlock').implement({
  description: 'A block whose state a price follows from.',
  fields: (t) => ({
    chainId: t.expose('chainId', { type: 'ChainId', description: 'The chain it belongs to.' }),
    number: t.expose('number', { type: 'SafeInt', description: 'Its height.' }),
    hash: t.expose('hash', { type: 'Hex', description: 'Its hash, 32 bytes.' }),
    timestamp: t.expose('timestamp', { type: 'SafeInt', description: 'Seconds since 1970.' }),
  }),
})
