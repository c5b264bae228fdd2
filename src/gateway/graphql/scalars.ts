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

/** Specifications of the text of scalars. */
const specification = {
  bytes: 'https://ethereum.org/developers/docs/apis/json-rpc/#unformatted-data-encoding',
  decimal: 'https://www.w3.org/TR/xmlschema11-2/#decimal',
  json: 'https://www.rfc-editor.org/rfc/rfc8259',
  nonNegativeInteger: 'https://www.w3.org/TR/xmlschema11-2/#nonNegativeInteger',
} as const

const eip = (number: number): string => `https://eips.ethereum.org/EIPS/eip-${number}`

builder.scalarType('Address', {
  specifiedByURL: eip(55),
  description:
    'An address in the form of its chain. On an EVM chain: 0x and 40 hexadecimal digits; inputs may be lower case, upper case or EIP-55 checksummed; answers are lower case. On an svm chain: 32 bytes in base58. As a currency, the zero address (32 zero bytes on an svm chain) is the native currency of the chain.',
  serialize: (value) => value,
  ...validatedByZod,
})

builder.scalarType('Amount', {
  specifiedByURL: specification.nonNegativeInteger,
  description:
    'An amount in the smallest unit of its currency (for example wei): 0 to 2^256 − 1, as a string of decimal digits. JSON numbers are refused, because many programs round numbers above 2^53.',
  serialize: (value) => value.toString(),
  ...validatedByZod,
})

builder.scalarType('Bps', {
  specifiedByURL: specification.nonNegativeInteger,
  description:
    'Basis points (1/100 of a percent), "0" to "10000", as a string of decimal digits: "50" is 0.5%.',
  serialize: (value) => value.toString(),
  ...validatedByZod,
})

builder.scalarType('ChainId', {
  specifiedByURL: eip(155),
  description: 'A chain id, of an EVM chain that of EIP-155: a JSON integer from 1 to 2^53 − 1.',
  serialize: (value) => value,
  ...validatedByZod,
})

builder.scalarType('Decimal', {
  specifiedByURL: specification.decimal,
  description: 'A decimal number as a string, such as "-1.50". Exact: not rounded to a float.',
  serialize: (value) => value,
  ...outputOnly,
})

builder.scalarType('Hex', {
  specifiedByURL: specification.bytes,
  description:
    'Bytes: 0x and an even number of hexadecimal digits. A transaction hash of a chain without the EVM is in base58.',
  serialize: (value) => value,
  ...validatedByZod,
})

builder.scalarType('JsonObject', {
  specifiedByURL: specification.json,
  description:
    'A JSON object whose keys this schema does not define. The description of the field defines them.',
  serialize: (value) => value,
  ...validatedByZod,
})

builder.scalarType('MicroUsd', {
  specifiedByURL: specification.nonNegativeInteger,
  description:
    'Millionths of a US dollar, as a string of decimal digits: "2000000" is two dollars. In inputs only; answers have `Usd`.',
  serialize: (value) => value,
  ...validatedByZod,
})

builder.scalarType('RequestId', {
  specifiedByURL: specification.bytes,
  description:
    'Id of a request, 32 bytes: 0x and 64 hexadecimal digits. Inputs may have any case; answers are lower case.',
  serialize: (value) => value,
  ...validatedByZod,
})

builder.scalarType('SafeInt', {
  specifiedByURL: specification.json,
  description: 'A JSON integer from 0 to 2^53 − 1.',
  serialize: Number,
  ...validatedByZod,
})

builder.scalarType('Usd', {
  specifiedByURL: specification.decimal,
  description:
    'US dollars as a string with six decimals, such as "-0.027900". A zero amount is worth "0".',
  serialize: formatAmountUsd,
  ...outputOnly,
})
