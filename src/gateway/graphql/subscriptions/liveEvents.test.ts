import { parse } from 'graphql'
import { expect, it } from 'vitest'
import { createLog } from '#src/config/log.ts'
import { createCompiledDocuments } from '#src/gateway/graphql/execution/compiledDocuments.ts'
import { createDocumentLimits } from '#src/gateway/graphql/execution/documentLimits.ts'
import { createSchema } from '#src/gateway/graphql/schema.ts'
import { createRequestContext } from '#src/gateway/requestContext.ts'
import type { HeadOfChain } from '#src/service/chains.ts'
import { createLiveTopic } from '#src/service/live/liveTopic.ts'
import type { Service } from '#src/service/service.ts'
import { cannedOperations } from '#test/support/canned/cannedOperations.ts'
import { createLiveSubscribe } from './liveEvents.ts'

const schema = createSchema()
const documents = createCompiledDocuments(schema, createDocumentLimits(schema))
const document = parse('subscription { chainHead(chainId: 990001) { number } }')

/** Subscribers to one chain, of clients whose turn comes only when the test says so. */
function createRig() {
  const turns = new Map<string, (() => void)[]>()
  const heads = createLiveTopic<HeadOfChain>({ onEmpty: () => {} }, () => true)
  const operations: Service = {
    ...cannedOperations,
    watchChainHead: () => heads.join(),
    inBackground: ({ network }, compute) =>
      new Promise((resolve) => {
        const waiting = turns.get(network) ?? []
        turns.set(network, [...waiting, () => resolve(compute())])
      }),
  }
  const subscribe = createLiveSubscribe({ operations, documents, parse, log: createLog('silent') })
  const received: string[] = []
  let reads = 0
  return {
    received,
    join: async (network: string) => {
      const client = { apiKey: undefined, network }
      const contextValue = createRequestContext(operations, client)
      const events = await subscribe({ schema, document, contextValue })
      if (!('flow' in events)) throw new Error(JSON.stringify(events))
      events.flow({
        take: ({ text }) => {
          received.push(`${network}: ${text}`)
          return true
        },
        end: () => {},
      })
    },
    publish: (number: number) => {
      const [chain] = cannedOperations.chains()
      heads.publish({
        ...(chain?.head as HeadOfChain),
        get number() {
          reads += 1
          return BigInt(number)
        },
      })
    },
    /** How often a number was read: once by each encoding. */
    reads: () => reads,
    /** Gives the client its turn for everything that waits. */
    serve: async (network: string) => {
      const waiting = turns.get(network) ?? []
      turns.delete(network)
      for (const turn of waiting) turn()
      await new Promise(setImmediate)
    },
  }
}

it('encodes an event in the turn of each client, and for none before', async () => {
  const { join, publish, serve, received, reads } = createRig()
  await join('greedy')
  await join('modest')
  publish(7)
  expect(received).toEqual([])
  await serve('modest')
  expect(received).toEqual(['modest: {"data":{"chainHead":{"number":7}}}'])
  await serve('greedy')
  expect(received).toHaveLength(2)
  expect(reads()).toBe(1)
})

it('gives an event that another client has encoded at once', async () => {
  const { join, publish, serve, received } = createRig()
  await join('first')
  publish(7)
  await serve('first')
  await join('second')
  expect(received).toEqual(
    ['first', 'second'].map((name) => `${name}: {"data":{"chainHead":{"number":7}}}`),
  )
})
