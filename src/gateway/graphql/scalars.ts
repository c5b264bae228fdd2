import { GraphQLError, type ValueNode, valueFromASTUntyped } from 'graphql'
import { usdText } from '#src/gateway/usdText.ts'
import { builder } from './builder.ts'

/**
 * Takes any value as it stands: the zod schema of the input that it is part of judges it, together
 * with all its neighbours, so that one answer names every bad field.
 */
const judgedByZod = {
  parseValue: (value: unknown): never => value as never,
  parseLiteral: (node: ValueNode, variables?: Record<string, unknown> | null): never =>
    valueFromASTUntyped(node, variables) as never,
}

const outputOnly = {
  parseValue: (): never => {
    throw new GraphQLError('This scalar stands in answers only')
  },
}

builder.scalarType('Address', {
  description:
    'An EVM address: 0x and 40 hexadecimal digits. Taken in lower case, in upper case or with its EIP-55 checksum; given in lower case. The zero address is the native currency of a chain.',
  serialize: (value) => value,
  ...judgedByZod,
})

builder.scalarType('Amount', {
  description:
    'An amount in the smallest unit of its currency (for example wei), 0 to 2^256 − 1, as a string of decimal digits. A JSON number is refused, because most programs round those above 2^53.',
  serialize: (value) => value.toString(),
  ...judgedByZod,
})

builder.scalarType('Bps', {
  description: 'Basis points (1/100 of a percent) as a string of decimal digits: "50" is 0.5%.',
  serialize: (value) => value.toString(),
  ...judgedByZod,
})

builder.scalarType('ChainId', {
  description: 'An EIP-155 chain id, as a JSON number up to 2^53 − 1.',
  serialize: (value) => value,
  ...judgedByZod,
})

builder.scalarType('Decimal', {
  description: 'A decimal number as a string, exact to its last digit, such as "-1.50".',
  serialize: (value) => value,
  ...outputOnly,
})

builder.scalarType('Hex', {
  description: 'Bytes as 0x and an even count of hexadecimal digits.',
  serialize: (value) => value,
  ...judgedByZod,
})

builder.scalarType('JsonObject', {
  description: 'Any JSON object.',
  serialize: (value) => value,
  ...judgedByZod,
})

builder.scalarType('RequestId', {
  description:
    'Names a request: 0x and 64 hexadecimal digits. Taken in any case; given in lower case.',
  serialize: (value) => value,
  ...judgedByZod,
})

builder.scalarType('SafeInt', {
  description: 'An integer from 0 to 2^53 − 1, as a JSON number.',
  serialize: Number,
  ...judgedByZod,
})

builder.scalarType('Usd', {
  description:
    'US dollars as a decimal string with six decimals, such as "-0.027900"; what a zero amount is worth is "0".',
  serialize: usdText,
  ...outputOnly,
})
