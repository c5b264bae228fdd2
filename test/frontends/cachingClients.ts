import {
  ApolloClient,
  ApolloLink,
  gql,
  HttpLink,
  InMemoryCache,
  setLogVerbosity,
} from '@apollo/client'
import { GraphQLWsLink } from '@apollo/client/link/subscriptions'
import { Client, fetchExchange, subscriptionExchange } from '@urql/core'
import { cacheExchange } from '@urql/exchange-graphcache'
import { createClient } from 'graphql-ws'
import { map } from 'rxjs'
import { WebSocket } from 'ws'

// Apollo warns wherever an object without an id replaces another one.
setLogVerbosity('silent')

type Variables = Readonly<Record<string, unknown>>

/** A client with a normalised cache, all settings of which are the defaults. */
export type CachingClient = Readonly<{
  /** Sends the query. Returns the answer of the gateway as it came. @throws Error for an error of the gateway. */
  fetch: (text: string, variables?: Variables) => Promise<unknown>
  /** The answer of the cache alone; null if it lacks something. */
  cached: (text: string, variables?: Variables) => unknown
  /** Subscribes, and gives each event to the cache. Resolves when the subscription ends. */
  follow: (text: string, variables: Variables, onEvent: () => void) => Promise<void>
  close: () => Promise<void>
}>

const socketOf = (url: string) =>
  createClient({ url: url.replace('http', 'ws'), webSocketImpl: WebSocket, retryAttempts: 0 })

export function createApollo(gateway: string): CachingClient {
  const url = `${gateway}/graphql`
  const answers: unknown[] = []
  const spy = new ApolloLink((operation, forward) =>
    forward(operation).pipe(
      map((result) => {
        answers.push('data' in result ? structuredClone(result.data) : undefined)
        return result
      }),
    ),
  )
  const socket = socketOf(url)
  const link = ApolloLink.split(
    ({ operationType }) => operationType === 'subscription',
    new GraphQLWsLink(socket),
    spy.concat(new HttpLink({ uri: url })),
  )
  const client = new ApolloClient({ link, cache: new InMemoryCache() })
  return {
    fetch: async (text, variables = {}) => {
      await client.query({ query: gql(text), variables, fetchPolicy: 'network-only' })
      return answers.at(-1)
    },
    cached: (text, variables = {}) => client.readQuery({ query: gql(text), variables }),
    follow: (text, variables, onEvent) =>
      new Promise((resolve, reject) => {
        client
          .subscribe({ query: gql(text), variables })
          .subscribe({ next: onEvent, error: reject, complete: resolve })
      }),
    close: async () => {
      client.stop()
      await socket.dispose()
    },
  }
}

export function createUrql(gateway: string): CachingClient {
  const url = `${gateway}/graphql`
  const socket = socketOf(url)
  const client = new Client({
    url,
    preferGetMethod: false,
    exchanges: [
      // It warns of types without an id, which it keeps inside of their parents.
      cacheExchange({ logger: () => {} }),
      fetchExchange,
      subscriptionExchange({
        forwardSubscription: ({ query = '', variables = {} }) => ({
          subscribe: (sink) => ({
            unsubscribe: socket.subscribe({ query, variables: { ...variables } }, sink as never),
          }),
        }),
      }),
    ],
    fetch: async (input, init) => {
      const response = await fetch(input, init)
      raw.push(((await response.clone().json()) as { data: unknown }).data)
      return response
    },
  })
  const raw: unknown[] = []
  return {
    fetch: async (text, variables = {}) => {
      const options = { requestPolicy: 'network-only' } as const
      const { error } = await client.query(text, variables, options).toPromise()
      if (error !== undefined) throw error
      return raw.at(-1)
    },
    cached: (text, variables = {}) =>
      client.readQuery(text, variables, { requestPolicy: 'cache-only' })?.data ?? null,
    follow: (text, variables, onEvent) =>
      new Promise((resolve) => {
        client.subscription(text, variables).subscribe(({ data, hasNext }) => {
          // The end repeats the last event.
          if (hasNext === false) resolve()
          else if (data) onEvent()
        })
      }),
    close: async () => {
      await socket.dispose()
    },
  }
}
