import { GraphQLError, type ValueNode, valueFromASTUntyped } from 'graphql'
import { formatAmountUsd } from '#src/gateway/formatValues.ts'
import { builder } from './builder.ts'

/**
 * Accepts any value. The zod schema of the whole input validates it with all other fields, so that one answer
 * names every bad field.
 */
const validatedByZod = {
  parseValue: (value: unknown): never => value as never,
  parseLiteral: (node: ValueNode, variables?: Record<string, unknown> | null): never =>
    valueFromASTUntyped(node, variables) as never,
}

const outputOnly = {
  parseValue: (): never => {
    throw new GraphQLError('This scalar is only used in answers')
  },
}

builder.scalarType('Address', {
  description:
    'An EVM address: 0x and 40 hexadecimal digits. Inputs may be lower case, upper case or EIP-55 checksummed; answers are lower case. As a currency, the zero address is the native currency of the chain.',
  serialize: (value) => value,
  ...validatedByZod,
})

builder.scalarType('Amount', {
  description:
    'An amount in the smallest unit of its currency (for example wei): 0 to 2^256 − 1, as a string of decimal digits. JSON numbers are refused, because many programs round them above 2^53.',
  serialize: (value) => value.toString(),
  ...validatedByZod,
})

builder.scalarType('Bps', {
  description:
    'Basis points (1/100 of a percent), "0" to "10000", as a string of decimal digits: "50" is 0.5%.',
  serialize: (value) => value.toString(),
  ...validatedByZod,
})

builder.scalarType('ChainId', {
  description: 'An EIP-155 chain id: a JSON integer from 1 to 2^53 − 1.',
  serialize: (value) => value,
  ...validatedByZod,
})

builder.scalarType('Decimal', {
  description: 'A decimal number as a string, such as "-1.50". Exact: not rounded to a float.',
  serialize: (value) => value,
  ...outputOnly,
})

builder.scalarType('Hex', {
  description: 'Bytes: 0x and an even number of hexadecimal digits.',
  serialize: (value) => value,
  ...validatedByZod,
})

builder.scalarType('JsonObject', {
  description: 'Any JSON object.',
  serialize: (value) => value,
  ...validatedByZod,
})

builder.scalarType('RequestId', {
  description:
    'Id of a request, 32 bytes: 0x and 64 hexadecimal digits. Inputs may have any case; answers are lower case.',
  serialize: (value) => value,
  ...validatedByZod,
})

builder.scalarType('SafeInt', {
  description: 'A JSON integer from 0 to 2^53 − 1.',
  serialize: Number,
  ...validatedByZod,
})

builder.scalarType('Usd', {
  description:
    'US dollars as a string with six decimals, such as "-0.027900". A zero amount is worth "0".',
  serialize: formatAmountUsd,
  ...outputOnly,
})
