import { expect } from 'vitest'
import { createOpenApiValidator } from './openApiValidator.ts'

/** A REST client that validates requests and answers against the gateway’s OpenAPI document. */
export async function createRestClient(url: string) {
  const validator = createOpenApiValidator(await (await fetch(`${url}/openapi.json`)).json())

  const answerOf = async (path: string, method: string, response: Response): Promise<unknown> => {
    const body: unknown = await response.json()
    expect([response.status, body]).toEqual([200, expect.anything()])
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(validator.answerFaults(path, method, body)).toEqual([])
    return body
  }

  return {
    post: async (path: string, body: object, headers: Record<string, string> = {}) => {
      expect(validator.requestFaults(path, body)).toEqual([])
      const response = await fetch(`${url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      })
      return answerOf(path, 'POST', response)
    },
    get: async (path: string, query = '') =>
      answerOf(path, 'GET', await fetch(`${url}${path}${query}`)),
  }
}

export type RestClient = Awaited<ReturnType<typeof createRestClient>>
