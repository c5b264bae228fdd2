import type { TypedDocumentString } from '#test/generated/graphql.ts'

export type GraphqlBody<Result> = {
  data?: Result | null
  errors?: {
    message: string
    path?: (string | number)[]
    locations?: object[]
    extensions: Record<string, unknown>
  }[]
}

/** A GraphQL client of a gateway. */
export function createGraphqlClient(url: string) {
  /** Sends a string unchanged, and anything else as JSON. */
  const post = (body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })

  return {
    post,
    query: async <Result, Variables>(
      document: TypedDocumentString<Result, Variables> | string,
      variables?: Variables,
      headers: Record<string, string> = {},
    ): Promise<GraphqlBody<Result>> => {
      const response = await post({ query: document.toString(), variables }, headers)
      return (await response.json()) as GraphqlBody<Result>
    },
  }
}
