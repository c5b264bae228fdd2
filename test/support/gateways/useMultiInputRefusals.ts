import { afterAll, beforeAll, expect } from 'vitest'
import type { ErrorCode } from '#src/core/errors.ts'
import { readMultiOrder } from '#src/service/order/readMultiOrder.ts'
import { cannedMultiInput, multiInputExample } from '#test/support/canned/cannedMultiInput.ts'
import { createOpenApiValidator } from '#test/support/clients/openApiValidator.ts'
import { orderDeps } from '#test/support/orders/orderDeps.ts'
import { type ServedGateway, serveGateway } from './serveGateway.ts'

type Issue = Readonly<{ path: readonly (string | number)[]; message: string; code?: ErrorCode }>
type ErrorAnswer = Readonly<{ message: string; issues?: readonly Issue[] }> &
  Record<string, unknown>

const query =
  'query M($input: MultiInputQuoteInput!) { multiInputQuote(input: $input) { details { rate } } }'

/** A gateway for all tests of a file, which checks multi-input quotes, and the errors of those that it refuses. */
export function useMultiInputRefusals() {
  let gateway: ServedGateway
  let validator: ReturnType<typeof createOpenApiValidator>
  let unseen = 0

  beforeAll(async () => {
    gateway = await serveGateway({
      multiInputQuote: async (request, loaders) => {
        await readMultiOrder(orderDeps, request, loaders)
        return cannedMultiInput
      },
    })
    validator = createOpenApiValidator(await (await fetch(`${gateway.url}/openapi.json`)).json())
  })
  afterAll(async () => {
    expect(gateway.logged).toEqual([])
    await gateway.close()
  })

  async function refusedByRest(input: object): Promise<ErrorAnswer> {
    const response = await fetch(`${gateway.url}/execute/swap/multi-input`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(input),
    })
    const { errorCode: code, message, errorData, ...body } = await response.json()
    expect(body).toEqual({ statusCode: response.status })
    const answers = { message, errorCode: code, errorData, statusCode: response.status }
    expect(validator.errorFaults(response.status, answers)).toEqual([])
    return { code, message, ...errorData }
  }

  /** Both GraphQL executors must give the same error. The comment makes the document unique, so Yoga executes it. */
  async function refusedByGraphql(input: object): Promise<ErrorAnswer> {
    const [{ errors }, fresh] = await Promise.all([
      gateway.query(query, { input }),
      gateway.query(`${query} # ${unseen++}`, { input }),
    ])
    expect(fresh.errors).toEqual(errors)
    const { statusCode: _, ...answers } = errors?.[0]?.extensions ?? {}
    return { ...answers, message: errors?.[0]?.message ?? 'nothing is refused' }
  }

  /** The error of the example with these changes, which must be the same by REST and by GraphQL. */
  async function refused(changed: object): Promise<ErrorAnswer> {
    const input = { ...multiInputExample, ...changed }
    const [rest, graphql] = await Promise.all([refusedByRest(input), refusedByGraphql(input)])
    const issues = graphql.issues?.map(({ path, ...issue }) => ({
      path: inputPath(path),
      ...issue,
    }))
    const message = graphql.message.replaceAll(/\$?input\./g, '')
    expect({ ...graphql, message, ...(issues && { issues }) }).toEqual(rest)
    return rest
  }

  return {
    refusedByRest,
    refused,
    /** The error of each named input, in lines. */
    allRefused: async (inputs: Readonly<Record<string, object>>) => {
      const answers: Record<string, readonly unknown[]> = {}
      for (const [name, changed] of Object.entries(inputs))
        answers[name] = linesOf(await refused(changed))
      return answers
    },
  }
}

/** Strips the argument name from a GraphQL issue path. */
const inputPath = ([first, ...rest]: Issue['path']): Issue['path'] =>
  first === 'input' || first === '$input' ? rest : [first ?? '', ...rest]

/** The code, and then each issue as one line. */
export const linesOf = ({ code, message, issues }: ErrorAnswer) => [
  code,
  ...(issues?.map(({ path, message, code: own }) => {
    const field = path.join('.')
    return own === undefined ? `${field}: ${message}` : `${field}: ${message} (${own})`
  }) ?? [message]),
]
