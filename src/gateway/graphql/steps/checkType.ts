import { builder } from '#src/gateway/graphql/builder.ts'
import type { QuotedItem } from '#src/service/quotedSteps.ts'

export const CheckType = builder.objectRef<NonNullable<QuotedItem['check']>>('Check').implement({
  description: 'An HTTP request that returns the status of the quote’s request.',
  fields: (t) => ({
    endpoint: t.exposeString('endpoint', {
      description: 'Path and query of the status request on this server.',
    }),
    method: t.exposeString('method', { description: 'HTTP method: GET.' }),
  }),
})
