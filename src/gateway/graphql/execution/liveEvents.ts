import {
  createSourceEventStream,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  GraphQLError,
} from 'graphql'
import { createRequestContext, type RequestContext } from '#src/gateway/requestContext.ts'
import type { Log } from '#src/log.ts'
import type { Client } from '#src/operations/callers.ts'
import type { Operations } from '#src/operations/operations.ts'
import { type CompiledDocuments, type CompiledQuery, operationLabel } from './compiledDocuments.ts'
import { errorAnswer } from './errorAnswer.ts'
import { type WithoutLists, withoutLists } from './quietLists.ts'

/** An execution result as JSON. Subscribers with the same selection share one object. */
export type EncodedEvent = Readonly<{
  text: string
  /** The same without what is no news by itself. Equal for two events that show the client the same; absent: none do. */
  news?: string | undefined
}>

/** The events of a subscription. If it fails, the last event contains the error. A consumer that stops early calls `return`. */
export type LiveEvents = AsyncIterableIterator<EncodedEvent, undefined>

type SubscriptionArgs = Omit<ExecutionArgs, 'contextValue'> &
  Readonly<{
    contextValue: RequestContext & Readonly<{ params: Readonly<{ query?: string | null }> }>
  }>

type Deps = Readonly<{ operations: Operations; documents: CompiledDocuments; log: Log }>

/**
 * Replaces `subscribe` of graphql-js. Each event is executed and encoded once for all subscribers with the same
 * document, variables and API key. Each event gets new loaders: those of the subscription would be stale.
 */
export function createLiveSubscribe({ operations, documents, log }: Deps) {
  const encoded = new WeakMap<object, Map<string, EncodedEvent | Promise<EncodedEvent>>>()

  const execution =
    (context: RequestContext, { args, compiled }: Selection) =>
    async (event: object): Promise<string> => {
      const fast = await compiled?.run(context, args.variableValues ?? {}, event)
      // graphql-jit words errors differently: graphql-js runs again, so that both give the same messages.
      const result =
        fast !== undefined && fast.errors === undefined
          ? fast
          : await execute({ ...args, rootValue: event, contextValue: context })
      return encodeResult(result, log)
    }

  const encode = async (event: object, selection: Selection): Promise<EncodedEvent> => {
    const { comparable, withoutQuiet, client } = selection
    const encodeOne = execution(createRequestContext(operations, client), selection)
    const text = await encodeOne(event)
    if (withoutQuiet !== undefined) return { text, news: withoutQuiet(text) }
    return comparable === undefined ? { text } : { text, news: await encodeOne(comparable(event)) }
  }

  /** At once where another subscriber was told the same before: most are. */
  const encodeShared: Encode = (event, selection) => {
    const texts = encoded.get(event) ?? new Map<string, EncodedEvent | Promise<EncodedEvent>>()
    encoded.set(event, texts)
    const known = texts.get(selection.key)
    if (known !== undefined) return known
    const encoding = encode(event, selection).then((each) => {
      texts.set(selection.key, each)
      return each
    })
    texts.set(selection.key, encoding)
    return encoding
  }

  /** Drops the context of the request: a subscription would keep the whole request in memory. */
  const toSelection = ({ contextValue, ...args }: SubscriptionArgs): Selection => {
    const { params, client } = contextValue
    const name = args.operationName ?? undefined
    return {
      args,
      client,
      compiled: params.query
        ? documents.findCompiled(params.query, name, 'subscription')
        : undefined,
      ...comparisonOf(args),
      key: JSON.stringify([params.query, name, args.variableValues, client.apiKey]),
    }
  }

  return async (args: SubscriptionArgs): Promise<LiveEvents | ExecutionResult> => {
    const source = await createSourceEventStream(args)
    if (!(Symbol.asyncIterator in source)) return source
    return encodeAll(source as AsyncIterable<object>, toSelection(args), encodeShared, log)
  }
}

/**
 * How events are compared, by the extensions of the subscription's field: `comparable`, an event without what is no news by
 * itself, which is executed a second time; `quiet`, the field whose lists are no news, which spares that where its keys are its own.
 */
function comparisonOf({ schema, document, operationName }: ExecutionArgs): Comparison {
  const fields = schema.getSubscriptionType()?.getFields()
  const field = fields?.[operationLabel(document, operationName ?? undefined)]
  const quiet = field?.extensions['quiet'] as string | undefined
  return {
    comparable: field?.extensions['comparable'] as Comparable | undefined,
    withoutQuiet: quiet === undefined ? undefined : withoutLists(document, quiet),
  }
}

type Comparison = Readonly<{
  comparable: Comparable | undefined
  withoutQuiet: WithoutLists | undefined
}>

type Comparable = (event: object) => object

type Encode = (event: object, selection: Selection) => EncodedEvent | Promise<EncodedEvent>

/** What a subscriber selects of each event. Equal selections have the same `key`. */
type Selection = Comparison &
  Readonly<{
    args: Omit<SubscriptionArgs, 'contextValue'>
    client: Client
    compiled: CompiledQuery | undefined
    key: string
  }>

/** Encodes every item of a source, and drops what shows the client nothing new. An error of the source becomes the last event. */
function encodeAll(
  items: AsyncIterable<object>,
  selection: Selection,
  encode: Encode,
  log: Log,
): LiveEvents {
  const source = items[Symbol.asyncIterator]()
  let isDone = false
  let last: EncodedEvent | undefined
  const leave = async (): Promise<IteratorReturnResult<undefined>> => {
    isDone = true
    await source.return?.()
    return { done: true, value: undefined }
  }
  const events: LiveEvents = {
    next: async () => {
      if (isDone) return { done: true, value: undefined }
      try {
        for (;;) {
          const { done, value } = await source.next()
          if (done === true) return leave()
          const before = last
          const encoded = encode(value, selection)
          last = encoded instanceof Promise ? await encoded : encoded
          if (last.news === undefined || last.news !== before?.news)
            return { done: false, value: last }
        }
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

/** An execution result as JSON, its errors encoded for clients. */
export const encodeResult = ({ data, errors }: ExecutionResult, log: Log): string =>
  JSON.stringify({ errors: errors?.map((error) => encodeError(error, log)), data })

export const encodeError = (error: GraphQLError, log: Log) => ({
  ...errorAnswer(error, log),
  locations: error.locations,
  path: error.path,
})
