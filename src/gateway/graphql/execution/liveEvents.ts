import {
  createSourceEventStream,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  GraphQLError,
} from 'graphql'
import type { Context } from '#src/gateway/requestContext.ts'
import type { Log } from '#src/log.ts'
import type { Operations } from '#src/operations/operations.ts'
import type { CompiledQuery, Documents } from './compiledDocuments.ts'
import { answeredError } from './errorAnswer.ts'

/** An execution result as JSON: one object for all whom the same is told. */
export type EncodedEvent = Readonly<{ text: string }>

/** What a subscription tells; the last may be why it ends. Whoever leaves early calls `return`. */
export type LiveEvents = AsyncIterableIterator<EncodedEvent, undefined>

type SubscriptionArgs = Omit<ExecutionArgs, 'contextValue'> &
  Readonly<{ contextValue: Context & Readonly<{ params: Readonly<{ query?: string | null }> }> }>

type Deps = Readonly<{ operations: Operations; documents: Documents; log: Log }>

/**
 * Subscribes, as graphql-js does, but that each event is worked out and encoded once for all who sent the
 * same document, variables and key; with loaders of its own, where those of the subscription would be stale.
 */
export function createLiveSubscribe({ operations, documents, log }: Deps) {
  const encoded = new WeakMap<object, Map<string, Promise<EncodedEvent>>>()

  const encode = async (event: object, { args, apiKey, compiled }: Asked) => {
    const context: Context = { operations, loaders: operations.loaders(), apiKey }
    const told = await compiled?.run(context, args.variableValues ?? {}, event)
    // Where both have errors to tell, the words are those of graphql-js.
    const result =
      told !== undefined && told.errors === undefined
        ? told
        : await execute({ ...args, rootValue: event, contextValue: context })
    return { text: encodeResult(result, log) }
  }

  const encodeShared = (event: object, asked: Asked): Promise<EncodedEvent> => {
    const texts = encoded.get(event) ?? new Map<string, Promise<EncodedEvent>>()
    encoded.set(event, texts)
    const known = texts.get(asked.key)
    if (known !== undefined) return known
    const text = encode(event, asked)
    texts.set(asked.key, text)
    return text
  }

  /** Without the context that it came with: a subscriber would keep the whole of its request. */
  const toAsked = ({ contextValue, ...args }: SubscriptionArgs): Asked => {
    const { params, apiKey } = contextValue
    const name = args.operationName ?? undefined
    return {
      args,
      apiKey,
      compiled: params.query ? documents.find(params.query, name, 'subscription') : undefined,
      key: JSON.stringify([params.query, name, args.variableValues, apiKey]),
    }
  }

  return async (args: SubscriptionArgs): Promise<LiveEvents | ExecutionResult> => {
    const source = await createSourceEventStream(args)
    if (!(Symbol.asyncIterator in source)) return source
    return encodeAll(source as AsyncIterable<object>, toAsked(args), encodeShared, log)
  }
}

/** What one subscriber asks of each event; `key` is the same for all who ask the same. */
type Asked = Readonly<{
  args: Omit<SubscriptionArgs, 'contextValue'>
  apiKey: string | undefined
  compiled: CompiledQuery | undefined
  key: string
}>

/** A failure of the source is the last event. */
function encodeAll(
  items: AsyncIterable<object>,
  asked: Asked,
  encode: (event: object, asked: Asked) => Promise<EncodedEvent>,
  log: Log,
): LiveEvents {
  const source = items[Symbol.asyncIterator]()
  let isOver = false
  const leave = async (): Promise<IteratorReturnResult<undefined>> => {
    isOver = true
    await source.return?.()
    return { done: true, value: undefined }
  }
  const events: LiveEvents = {
    next: async () => {
      if (isOver) return { done: true, value: undefined }
      try {
        const { done, value } = await source.next()
        if (done === true) return leave()
        return { done: false, value: await encode(value, asked) }
      } catch (error) {
        await leave()
        const originalError = error instanceof Error ? error : new Error(String(error))
        const errors = [new GraphQLError(originalError.message, { originalError })]
        return { done: false, value: { text: encodeResult({ errors }, log) } }
      }
    },
    return: leave,
    [Symbol.asyncIterator]: () => events,
  }
  return events
}

/** With errors as callers are told of them. */
export const encodeResult = ({ data, errors }: ExecutionResult, log: Log): string =>
  JSON.stringify({ errors: errors?.map((error) => tellError(error, log)), data })

export const tellError = (error: GraphQLError, log: Log) => ({
  ...answeredError(error, log),
  locations: error.locations,
  path: error.path,
})
