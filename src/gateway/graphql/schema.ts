import type { GraphQLSchema } from 'graphql'
import { builder } from './builder.ts'
import './scalars.ts'
import './chainType.ts'
import './currencyQueries.ts'
import './priceType.ts'
import './quoteType.ts'
import './multiInputQuoteType.ts'
import './requestQueries.ts'

/** The whole schema, from every domain's file. */
export const createSchema = (): GraphQLSchema => builder.toSchema({ sortSchema: false })
