import { builder } from '#src/gateway/graphql/builder.ts'
import type { Check } from '#src/protocol/step.ts'

const CheckMethodType = builder.enumType('CheckMethod', {
  description: 'HTTP method of a status request.',
  values: { GET: { description: 'Without a body.' } } satisfies Record<Check['method'], object>,
})

export const CheckType = builder.objectRef<Check>('Check').implement({
  description: 'An HTTP request that returns the status of the quote’s request.',
  fields: (t) => ({
    endpoint: t.exposeString('endpoint', {
      description: 'Path and query of the status request on this server.',
    }),
    method: t.expose('method', { type: CheckMethodType, description: 'HTTP method: GET.' }),
  }),
})
