import SchemaBuilder from '@pothos/core'
import ValidationPlugin from '@pothos/plugin-validation'
import type { Account } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Usd } from '#src/core/units/usd.ts'
import { invalidRequest } from '#src/gateway/http/fieldIssues.ts'
import type { RequestContext } from '#src/gateway/requestContext.ts'

/** The Pothos builder. The other files add types and fields to it; `schema.ts` loads them. */
export const builder = new SchemaBuilder<{
  Context: RequestContext
  DefaultFieldNullability: false
  Scalars: {
    Address: { Input: string; Output: Account }
    Amount: { Input: string; Output: bigint }
    Bps: { Input: string; Output: bigint }
    ChainId: { Input: number; Output: ChainId }
    Decimal: { Input: string; Output: string }
    Hex: { Input: string; Output: string }
    RequestId: { Input: `0x${string}`; Output: `0x${string}` }
    MicroUsd: { Input: string; Output: string }
    JsonObject: { Input: Record<string, unknown>; Output: Record<string, unknown> }
    SafeInt: { Input: number; Output: bigint | number }
    Usd: { Input: string; Output: Usd | '0' }
  }
}>({
  plugins: [ValidationPlugin],
  defaultFieldNullability: false,
  validation: { validationError: ({ issues }) => invalidRequest(issues, 'input') },
})

/** Adds fields to the GraphQL type of `Shape`. */
export type FieldsOf<Shape> = PothosSchemaTypes.ObjectFieldBuilder<
  typeof builder.$inferSchemaTypes,
  Shape
>

builder.queryType({
  description:
    'Reads prices, quotes, requests, currencies and chains. Selecting the id or the steps of a quote stores a request.',
})
builder.subscriptionType({ description: 'Live prices, request statuses and chain heads.' })
