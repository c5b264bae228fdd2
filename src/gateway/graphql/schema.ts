import type { GraphQLSchema } from 'graphql'
import { builder } from './builder.ts'
import './scalars.ts'
import './types/currencies/chainHeadSubscription.ts'
import './types/currencies/chainType.ts'
import './types/currencies/currencyQueries.ts'
import './types/quotes/priceEventType.ts'
import './types/quotes/priceType.ts'
import './types/quotes/pricesQuery.ts'
import './types/quotes/quoteType.ts'
import './types/quotes/multiInputQuoteType.ts'
import './types/steps/executePermitMutation.ts'
import './types/steps/executeMutation.ts'
import './types/requests/requestQueries.ts'
import './types/requests/indexTransactionMutation.ts'
import './types/nodes/nodeQueries.ts'

/** The whole schema. The imports above add the types and fields. */
export function createSchema(): GraphQLSchema {
  const schema = builder.toSchema({ sortSchema: false })
  // The arguments of a subscription are validated when it starts. Pothos would validate them for each event too.
  for (const field of Object.values(schema.getSubscriptionType()?.getFields() ?? {}))
    field.resolve = (event) => event
  return schema
}
