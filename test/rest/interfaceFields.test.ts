import { readFileSync } from 'node:fs'
import {
  buildSchema,
  type GraphQLType,
  getNamedType,
  isInputObjectType,
  isObjectType,
} from 'graphql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OpenApiDocument } from '#test/support/clients/openApiValidator.ts'
import {
  multiInputFields,
  priceFields,
  quoteFields,
} from '#test/support/fixtures/interfaceFields.ts'
import { type ServedGateway, serveGateway } from '#test/support/gateways/serveGateway.ts'

const amount = [
  'amount',
  'amountFormatted',
  'amountUsd',
  'minimumAmount',
  ...['chainId', 'address', 'symbol', 'name', 'decimals'].map((key) => `currency.${key}`),
  ...['logoURI', 'verified', 'isNative'].map((key) => `currency.metadata.${key}`),
]
const amountsAt = (paths: readonly string[]) =>
  paths.flatMap((path) => amount.map((key) => `${path}.${key}`))

/** The response fields of the public interface, by path. */
const priceAnswer = [
  ...amountsAt(
    ['gas', 'relayer', 'relayerGas', 'relayerService', 'app', 'subsidized'].map(
      (key) => `fees.${key}`,
    ),
  ),
  ...amountsAt(['details.currencyIn', 'details.currencyOut']),
  ...['operation', 'sender', 'recipient', 'rate', 'timeEstimate', 'userBalance'].map(
    (key) => `details.${key}`,
  ),
  ...['totalImpact', 'swapImpact'].flatMap((key) => [
    `details.${key}.usd`,
    `details.${key}.percent`,
  ]),
  ...['origin', 'destination'].flatMap((leg) =>
    ['usd', 'value', 'percent'].map((key) => `details.slippageTolerance.${leg}.${key}`),
  ),
]
const stepAnswer = [
  ...['id', 'action', 'description', 'kind', 'requestId', 'items.status'].map(
    (key) => `steps.${key}`,
  ),
  ...`from to data value maxFeePerGas maxPriorityFeePerGas chainId`
    .split(' ')
    .map((key) => `steps.items.data.${key}`),
  ...['endpoint', 'method'].map((key) => `steps.items.check.${key}`),
]
const quoteAnswer = [
  ...priceAnswer,
  ...stepAnswer,
  ...amountsAt(['details.refundCurrency', 'details.currencyGasTopup']),
  ...['swap', 'execution', 'service', 'app', 'sponsored'].map(
    (key) => `details.expandedPriceImpact.${key}.usd`,
  ),
  ...['fallbackType', 'isFixedRate', 'fixedRateFee.usd'].map((key) => `details.${key}`),
  ...['origin', 'destination'].flatMap((leg) => [
    ...amountsAt([`details.route.${leg}.inputCurrency`, `details.route.${leg}.outputCurrency`]),
    `details.route.${leg}.router`,
    `details.route.${leg}.includedSwapSources`,
  ]),
  ...['orderId', 'orderData'].map((key) => `protocol.v2.${key}`),
  ...['chainId', 'depository', 'currency', 'amount'].map(
    (key) => `protocol.v2.paymentDetails.${key}`,
  ),
]
const multiInputAnswer = [
  ...priceAnswer,
  ...stepAnswer,
  ...['breakdown.value', 'breakdown.timeEstimate'],
  ...['balances.userBalance', 'balances.requiredToSolve'],
]
/** Details of a single-input quote that multi-input quotes must not have. */
const quoteDetailsAlone =
  `refundCurrency currencyGasTopup expandedPriceImpact fallbackType isFixedRate
  fixedRateFee route`.split(/\s+/)

const schema = buildSchema(readFileSync('schema.graphql', 'utf8'))

function graphqlHas(type: GraphQLType | undefined, path: readonly string[]): boolean {
  const [key, ...rest] = path
  if (key === undefined) return true
  const named = type && getNamedType(type)
  if (!isObjectType(named) && !isInputObjectType(named)) return false
  const field = named.getFields()[key]
  return field !== undefined && graphqlHas(field.type, rest)
}

type Node = {
  $ref?: string
  properties?: Record<string, Node>
  items?: Node
  anyOf?: Node[]
  allOf?: Node[]
}

let gateway: ServedGateway
let document: OpenApiDocument
beforeAll(async () => {
  gateway = await serveGateway()
  document = await (await fetch(`${gateway.url}/openapi.json`)).json()
})
afterAll(() => gateway.close())

function at(pointer: readonly string[]): Node {
  let value: unknown = document
  for (const key of pointer) value = (value as Record<string, unknown>)[key]
  return value as Node
}

function restHas(node: Node, path: readonly string[]): boolean {
  if (node.$ref !== undefined) return restHas(at(node.$ref.split('/').slice(1)), path)
  const [key, ...rest] = path
  if (key === undefined) return true
  const member = node.properties?.[key]
  if (member !== undefined && restHas(member, rest)) return true
  const inner = [...(node.anyOf ?? []), ...(node.allOf ?? []), ...(node.items ? [node.items] : [])]
  return inner.some((each) => restHas(each, path))
}

const json = ['content', 'application/json', 'schema']

describe.each([
  ['price', '/price', 'PriceInput', 'Price', priceFields, priceAnswer],
  ['quote', '/quote/v2', 'QuoteInput', 'Quote', [...priceFields, ...quoteFields], quoteAnswer],
  [
    'multiInputQuote',
    '/execute/swap/multi-input',
    'MultiInputQuoteInput',
    'MultiInputQuote',
    multiInputFields,
    multiInputAnswer,
  ],
] as const)('%s', (_, path, input, output, fields, answer) => {
  it('accepts every field of the interface, by REST and by GraphQL', () => {
    const body = at(['paths', path, 'post', 'requestBody', ...json])
    const lacking = (has: (path: string[]) => boolean) =>
      fields.filter((each) => !has(each.split('.')))
    expect(lacking((each) => graphqlHas(schema.getType(input), each))).toEqual([])
    expect(lacking((each) => restHas(body, each))).toEqual([])
  })

  it('returns every field of the interface, by REST and by GraphQL', () => {
    const body = at(['paths', path, 'post', 'responses', '200', ...json])
    const lacking = (has: (path: string[]) => boolean) =>
      answer.filter((each) => !has(each.split('.')))
    expect(lacking((each) => graphqlHas(schema.getType(output), each))).toEqual([])
    expect(lacking((each) => restHas(body, each))).toEqual([])
  })
})

it('a multi-input quote has no details beyond those of the interface', () => {
  const body = at(['paths', '/execute/swap/multi-input', 'post', 'responses', '200', ...json])
  const details = quoteDetailsAlone.map((key) => ['details', key])
  expect(details.filter((each) => restHas(body, each))).toEqual([])
  const type = schema.getType('MultiInputQuote')
  expect(details.filter((each) => graphqlHas(type, each))).toEqual([])
})
