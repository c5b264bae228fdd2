import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { AppError } from '#src/errors.ts'
import type { RequestFilter } from '#src/requests/requestStore.ts'
import { createJudge } from '#test/support/clients/openApiDocument.ts'
import { createRestClient, type RestClient } from '#test/support/clients/restClient.ts'
import { answerOf, requestId, stateAt } from '#test/support/fixtures/requestAnswer.ts'
import { type ServedGateway, serveGateway } from './serveGateway.ts'

/** A gateway for the tests of a file that knows one request, with what its routes asked of it in this test. */
export function useRequestRoutes() {
  let gateway: ServedGateway
  let client: RestClient
  let judge: ReturnType<typeof createJudge>
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
    judge = createJudge(await (await fetch(`${gateway.url}/openapi.json`)).json())
  })
  afterAll(() => gateway.close())
  beforeEach(() => {
    filters.length = 0
    hints.length = 0
  })

  return {
    filters,
    hints,
    /** Has the request stand like this from now on. */
    stand: (...args: Parameters<typeof answerOf>) => {
      answer = answerOf(...args)
      return answer
    },
    get: (path: string, query?: string) => client.get(path, query),
    post: (path: string, body: object) => client.post(path, body),
    /** What is answered to what is refused, as the OpenAPI document has it: status, code and message. */
    refusal: async (path: string, posted?: object) => {
      const headers = { 'content-type': 'application/json' }
      const init = posted && { method: 'POST', headers, body: JSON.stringify(posted) }
      const response = await fetch(`${gateway.url}${path}`, init)
      const body = (await response.json()) as { errorCode: string; message: string }
      expect(judge.errorFaults(response.status, body)).toEqual([])
      return [response.status, body.errorCode, body.message]
    },
  }
}
