import type { GraphQLSchema } from 'graphql'
import { builder } from './builder.ts'
import './scalars.ts'
import './currencies/chainType.ts'
import './currencies/currencyQueries.ts'
import './quotes/priceEventType.ts'
import './quotes/priceType.ts'
import './quotes/pricesQuery.ts'
import './quotes/quoteType.ts'
import './quotes/multiInputQuoteType.ts'
import './steps/executePermitMutation.ts'
import './steps/executeMutation.ts'
import './requests/requestQueries.ts'
import './requests/indexTransactionMutation.ts'
import './nodes/nodeQueries.ts'
import './operator/solverBooksQuery.ts'

/** The whole schema. The imports above add the types and fields. */
export function createSchema(): GraphQLSchema {
  const schema = builder.toSchema({ sortSchema: false })
  // The arguments of a subscription are validated when it starts. Pothos would validate them for each event too.
  for (const field of Object.values(schema.getSubscriptionType()?.getFields() ?? {}))
    field.resolve = (event) => event
  return schema
}
