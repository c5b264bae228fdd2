import { hash } from 'node:crypto'
import {
  createSourceEventStream,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  type GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  locatedError,
} from 'graphql'
import type { Log } from '#src/config/log.ts'
import type { AppError } from '#src/core/errors.ts'
import type { CompiledDocuments } from '#src/gateway/graphql/execution/compiledDocuments.ts'
import { errorAnswer } from '#src/gateway/graphql/execution/errorAnswer.ts'
import { subscribedField } from '#src/gateway/graphql/execution/subscriptionRoot.ts'
import { createRequestContext, type RequestContext } from '#src/gateway/requestContext.ts'
import type { Flow, Items, Sink } from '#src/requests/events/readerQueue.ts'
import type { Client } from '#src/service/callers.ts'
import type { HeldMemory } from '#src/service/limits/subscriptionMemory.ts'
import type { Service } from '#src/service/service.ts'
import { type WithoutLists, withoutLists } from './quietLists.ts'

/** An execution result as JSON. Subscribers with the same selection share one object. */
export type EncodedEvent = Readonly<{
  text: string
  /**
   * Hash of the event without the parts that are no news by themselves. Events with equal `news` are duplicates. Absent:
   * all are news.
   */
  news?: string | undefined
}>

/** The events of a subscription. If it fails, the last event contains the error. */
export type LiveEvents = Readonly<{
  flow: Flow<EncodedEvent>
  /** Ends the subscription early. */
  return: () => Promise<void>
}>

type SubscriptionArgs = Omit<ExecutionArgs, 'contextValue'> &
  Readonly<{ contextValue: RequestContext }>

type Deps = Readonly<{
  operations: Service
  documents: CompiledDocuments
  /** The parsed document of a text that has been accepted. */
  parse: (text: string) => DocumentNode
  log: Log
}>

/** Memory of a subscription and of its connection. */
const ownBytes = 10_000
/** Memory for each character of its document and its variables. A live price keeps its order in several forms. */
const bytesPerCharacter = 5
/** An event is kept until the next one: as text, and as the bytes that are sent. */
const copiesOfEvent = 3

/**
 * Replaces `subscribe` of graphql-js. Each event is executed and encoded once for all subscribers with the same
 * document, variables and API key. Each event gets new loaders: those of the subscription would be stale.
 */
export function createLiveSubscribe({ operations, documents, parse, log }: Deps) {
  const encoded = new WeakMap<object, Map<string, EncodedEvent | Promise<EncodedEvent>>>()

  const run = (event: object, selection: Selection): Executed => {
    const { schema, text, variableValues, operationName, client } = selection
    const contextValue = createRequestContext(operations, client)
    // graphql-jit has other error messages, so graphql-js runs again for the usual ones.
    const runAgain = () => {
      const document = parse(text)
      return execute({
        schema,
        document,
        operationName,
        variableValues,
        rootValue: event,
        contextValue,
      })
    }
    // Found again for each event: a compiled document takes more memory than its subscription.
    const compiled = documents.findCompiled(text, operationName, 'subscription')
    const fast = compiled?.run(contextValue, variableValues, event)
    if (fast === undefined) return runAgain()
    const check = (result: ExecutionResult) => (result.errors === undefined ? result : runAgain())
    return isPromise(fast) ? fast.then(check) : check(fast)
  }

  const encode = (event: object, selection: Selection): EncodedEvent | Promise<EncodedEvent> => {
    const { comparable, withoutQuiet } = selection
    const compare = comparable !== undefined && withoutQuiet === undefined
    const executed = run(event, selection)
    const other = compare ? run(comparable(event), selection) : undefined
    const toEvent = (result: ExecutionResult, compared: ExecutionResult | undefined) => {
      const text = encodeResult(result, log)
      if (withoutQuiet !== undefined) return { text, news: digest(withoutQuiet(text)) }
      return compared === undefined ? { text } : { text, news: digest(encodeResult(compared, log)) }
    }
    if (!isPromise(executed) && !isPromise(other)) return toEvent(executed, other)
    return Promise.all([executed, other]).then(([result, compared]) => toEvent(result, compared))
  }

  /** Encodes the event for the first subscriber whose turn comes. The others then get the same, without a promise. */
  const encodeShared: Encode = (event, selection) => {
    const texts = encoded.get(event) ?? new Map<string, EncodedEvent | Promise<EncodedEvent>>()
    encoded.set(event, texts)
    const known = texts.get(selection.key)
    if (known !== undefined) return known
    return operations.inBackground(selection.client, () => {
      const encoding = texts.get(selection.key) ?? encode(event, selection)
      texts.set(selection.key, encoding)
      if (isPromise(encoding)) encoding.then((each) => texts.set(selection.key, each), ignore)
      return encoding
    })
  }

  /**
   * Keeps only what the events need. The rest of the request would stay in memory as long as the subscription: its
   * parsed document has up to 100 times the size of its text.
   */
  const toSelection = (args: SubscriptionArgs): Selection => {
    const { schema, contextValue } = args
    const { client } = contextValue
    const text = args.document.loc?.source.body ?? ''
    const operationName = args.operationName ?? undefined
    const variableValues = declaredVariables(args)
    const key = JSON.stringify([text, operationName, variableValues, client.apiKey])
    return {
      schema,
      text,
      operationName,
      variableValues,
      client,
      ...comparisonOf(args),
      key: digest(key),
      bytes: ownBytes + bytesPerCharacter * key.length,
    }
  }

  return async (args: SubscriptionArgs): Promise<LiveEvents | ExecutionResult> => {
    const source = await createSourceEventStream(args)
    if (!(Symbol.asyncIterator in source)) return source
    const items = source as AsyncIterable<object>
    const selection = toSelection(args)
    return encodeAll(items, selection, {
      encode: encodeShared,
      locate: (error) => locatedAtField(error, parse(selection.text), selection),
      hold: (end) => operations.holdMemory(selection.client, end),
      log,
    })
  }
}

/**
 * How events are compared. The extensions of the subscription's field set it:
 * - `comparable` returns an event without the parts that are no news. It is executed a second time.
 * - `quiet` names a field whose lists are no news. They are cut out of the JSON, without a second execution. This needs
 * keys that no other field of the document has.
 */
function comparisonOf({ schema, document, operationName }: ExecutionArgs): Comparison {
  const fields = schema.getSubscriptionType()?.getFields()
  const field = fields?.[subscribedField(document, operationName)?.name.value ?? '']
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

const digest = (text: string): string => hash('sha256', text, 'base64')

/** The subscribers that wait for the event get its error. */
const ignore = () => {}

type Executed = ExecutionResult | Promise<ExecutionResult>

type Encode = (event: object, selection: Selection) => EncodedEvent | Promise<EncodedEvent>

type Encoding = Readonly<{
  encode: Encode
  /** An error at the field of the subscription. */
  locate: (error: unknown) => GraphQLError
  /** Counts the memory of the subscription, and may end it. */
  hold: (end: (error: AppError) => void) => HeldMemory
  log: Log
}>

/** The selection of a subscriber. Equal selections have the same `key`. */
type Selection = Comparison &
  Readonly<{
    schema: GraphQLSchema
    /** The whole document. */
    text: string
    operationName: string | undefined
    variableValues: Variables
    client: Client
    key: string
    /** About its memory, without its events. */
    bytes: number
  }>

type Variables = Readonly<Record<string, unknown>>

/** The variables that the operation declares. A client may send others, of any size. */
function declaredVariables({
  document,
  operationName,
  variableValues,
}: SubscriptionArgs): Variables {
  const { variableDefinitions = [] } = getOperationAST(document, operationName) ?? {}
  const names = new Set(variableDefinitions.map(({ variable }) => variable.name.value))
  return Object.fromEntries(
    Object.entries(variableValues ?? {}).filter(([name]) => names.has(name)),
  )
}

/** Encodes every item of a source, and drops duplicates. An error of the source becomes the last event. */
function encodeAll(
  items: AsyncIterable<object>,
  selection: Selection,
  { encode, locate, hold, log }: Encoding,
): LiveEvents {
  const source = items[Symbol.asyncIterator]()
  let isOpen = true
  let lastNews: string | undefined
  let memory: HeldMemory | undefined
  const leave = async (): Promise<void> => {
    isOpen = false
    memory?.release()
    try {
      await source.return?.()
    } catch (error) {
      log.error({ err: error }, 'A subscription failed to end')
    }
  }

  const flow = (sink: Sink<EncodedEvent>): (() => void) => {
    const show = (encoded: EncodedEvent): boolean => {
      const { text, news } = encoded
      memory?.grow(selection.bytes + copiesOfEvent * text.length)
      if (!isOpen) return false
      const isNews = news === undefined || news !== lastNews
      lastNews = news
      return isNews ? sink.take(encoded) : true
    }
    const end = (): void => {
      if (isOpen) sink.end()
      isOpen = false
      memory?.release()
    }
    const fail = (error: unknown): void => {
      if (!isOpen) return
      sink.take({ text: encodeResult({ errors: [locate(error)] }, log) })
      end()
      void leave()
    }
    const take = (item: object): boolean => {
      try {
        const encoded = encode(item, selection)
        if (!isPromise(encoded)) return show(encoded)
        encoded.then((each) => {
          if (isOpen && show(each)) resume()
        }, fail)
      } catch (error) {
        fail(error)
      }
      return false
    }
    memory = hold(fail)
    memory.grow(selection.bytes)
    if (!isOpen) return () => {}
    const resume = flowOf(source)({
      take,
      end: (why) => (why === undefined ? end() : fail(why.error)),
    })
    return resume
  }
  return { flow, return: leave }
}

/** The error that ends a subscription, with the location and the path of its field, as if the field had thrown it. */
function locatedAtField(
  error: unknown,
  document: DocumentNode,
  { operationName }: Selection,
): GraphQLError {
  const field = subscribedField(document, operationName)
  if (field === undefined) return locatedError(error, undefined)
  return locatedError(error, field, [field.alias?.value ?? field.name.value])
}

const isPromise = <Value>(value: Value | Promise<Value>): value is Promise<Value> =>
  value instanceof Promise

/** An execution result as JSON, with its errors encoded for clients. */
export const encodeResult = ({ data, errors }: ExecutionResult, log: Log): string =>
  JSON.stringify({ errors: errors?.map((error) => encodeError(error, log)), data })

export const encodeError = (error: GraphQLError, log: Log) => ({
  ...errorAnswer(error, log),
  locations: error.locations,
  path: error.path,
})

/** The flow of a source. A source that can only be pulled is read item by item while the sink has room. */
function flowOf<Item>(source: AsyncIterator<Item> | Items<Item>): Flow<Item> {
  if ('flow' in source) return source.flow
  const pull = async ({ take, end }: Sink<Item>): Promise<void> => {
    try {
      for (;;) {
        const { done, value } = await source.next()
        if (done === true) return end()
        if (!take(value)) return
      }
    } catch (error) {
      end({ error })
    }
  }
  return (sink) => {
    void pull(sink)
    return () => void pull(sink)
  }
}
