import { expect } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import { toAddress } from '#src/core/units/address.ts'
import type { RequestFilter } from '#src/requests/requestList.ts'
import { createOpenApiValidator } from '#test/support/clients/openApiValidator.ts'
import { answerOf, requestId, stateAt } from '#test/support/fixtures/requestAnswer.ts'
import { serveGateway } from './serveGateway.ts'

export const usdc = toAddress(`0x${'a1'.repeat(20)}`)
export const account = toAddress(`0x${'11'.repeat(20)}`)

/** A gateway whose store has one request. Every answer of `ask` must be as its OpenAPI document says. */
export async function serveRequestsV3() {
  const filters: RequestFilter[] = []
  let answer = answerOf(stateAt(4))
  const gateway = await serveGateway({
    requests: async (filter) => {
      filters.push(filter)
      const isOther = filter.requestId !== undefined && filter.requestId !== requestId
      return { requests: isOther ? [] : [answer], next: filter.after ? undefined : '1-0x2' }
    },
    countRequests: async () => 77,
    callerName: ({ apiKey }) => {
      if (apiKey === 'unknown') throw new AppError('UNAUTHORIZED', 'x-api-key: unknown API key')
      return apiKey && `name of ${apiKey}`
    },
  })
  const validator = createOpenApiValidator(
    await (await fetch(`${gateway.url}/openapi.json`)).json(),
  )

  async function ask(query = '', apiKey?: string) {
    const headers = apiKey === undefined ? {} : { 'x-api-key': apiKey }
    const response = await fetch(`${gateway.url}/requests/v3${query}`, { headers })
    const body = (await response.json()) as Readonly<Record<string, unknown>>
    const faults =
      response.status === 200
        ? validator.answerFaults('/requests/v3', 'GET', body)
        : validator.errorFaults(response.status, body)
    expect(faults).toEqual([])
    return { status: response.status, body }
  }

  return {
    ask,
    requestOf: async (query?: string, apiKey?: string) => {
      const { body } = await ask(query, apiKey)
      return (body as { requests: [{ data: Record<string, unknown> }] }).requests[0]
    },
    /** Sets the request that the store has. */
    answers: (next: typeof answer) => {
      answer = next
    },
    /** What the store has been asked for. */
    filters,
    close: gateway.close,
  }
}

export type RequestsV3 = Awaited<ReturnType<typeof serveRequestsV3>>
