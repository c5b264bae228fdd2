import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import type { RequestFilter } from '#src/requests/requestList.ts'
import { createOpenApiValidator } from '#test/support/clients/openApiValidator.ts'
import { createRestClient, type RestClient } from '#test/support/clients/restClient.ts'
import { answerOf, requestId, stateAt } from '#test/support/fixtures/requestAnswer.ts'
import { type ServedGateway, serveGateway } from './serveGateway.ts'

/**
 * A gateway with one request, for the tests of a file. It records the arguments of its operations for each test.
 */
export function useRequestRoutes() {
  let gateway: ServedGateway
  let client: RestClient
  let validator: ReturnType<typeof createOpenApiValidator>
  let answer = answerOf(stateAt(0))
  const filters: RequestFilter[] = []
  const hints: unknown[] = []
  beforeAll(async () => {
    gateway = await serveGateway({
      requestStatus: async (id) => {
        if (id === requestId) return answer
        throw new AppError('UNKNOWN_REQUEST', `requestId: no request is ${id}`, { requestId: id })
      },
      requests: async (filter) => {
        filters.push(filter)
        return { requests: [answer], next: 'more' }
      },
      indexTransaction: async (hint) => {
        if (hint.chainId === 1)
          throw new AppError('UNSUPPORTED_CHAIN', 'chainId: chain 1 is not served')
        hints.push(hint)
      },
    })
    client = await createRestClient(gateway.url)
    validator = createOpenApiValidator(await (await fetch(`${gateway.url}/openapi.json`)).json())
  })
  afterAll(() => gateway.close())
  beforeEach(() => {
    filters.length = 0
    hints.length = 0
  })

  return {
    filters,
    hints,
    /** Sets the state of the request. */
    setAnswer: (...args: Parameters<typeof answerOf>) => {
      answer = answerOf(...args)
      return answer
    },
    get: (path: string, query?: string) => client.get(path, query),
    post: (path: string, body: object) => client.post(path, body),
    /** The status, code and message of an error, validated against the OpenAPI document. */
    refusal: async (path: string, posted?: object) => {
      const headers = { 'content-type': 'application/json' }
      const init = posted && { method: 'POST', headers, body: JSON.stringify(posted) }
      const response = await fetch(`${gateway.url}${path}`, init)
      const body = (await response.json()) as { errorCode: string; message: string }
      expect(validator.errorFaults(response.status, body)).toEqual([])
      return [response.status, body.errorCode, body.message]
    },
  }
}
