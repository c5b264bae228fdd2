import { brandWithType } from '@pothos/core'
import { z } from 'zod'
import { builder } from '#src/gateway/graphql/builder.ts'
import { nullIfUnknown } from '#src/gateway/graphql/nullIfUnknown.ts'
import type { RequestContext } from '#src/gateway/requestContext.ts'
import type { RequestAnswer, StoredQuote } from '#src/service/answers.ts'
import {
  accountField,
  boundedList,
  chainIdField,
  hashField,
} from '#src/service/input/inputFields.ts'
import { NodeType, type NodeTypeName, parseId } from './nodeType.ts'

const idField = z.string().max(256, 'At most 256 characters')

const maxIds = 100

/** Cost of a node: some need two queries of the database. */
const nodeCost = 10

builder.queryFields((t) => ({
  node: t.field({
    type: NodeType,
    nullable: true,
    description:
      'The current object with an id; null if there is none. A quote and its steps have only their stored fields: fields of the price, such as `fees`, `blocks` and `details`, fail with NOT_FOUND.',
    args: t.validate(
      { id: t.arg.id({ required: true, description: 'The `id` of an earlier answer.' }) },
      z.strictObject({ id: idField }),
    ),
    extensions: { cost: nodeCost },
    resolve: (_, { id }, context) => findNode(id, context),
  }),
  nodes: t.field({
    type: t.listRef(NodeType, { nullable: true }),
    description: 'The objects with these ids, in the same order; null for an id without an object.',
    args: t.validate(
      {
        ids: t.arg.idList({
          required: true,
          description: 'The `id`s of earlier answers, at most 100.',
        }),
      },
      z.strictObject({ ids: boundedList(idField, maxIds, `At most ${maxIds} ids`) }),
    ),
    extensions: { itemCost: nodeCost, items: 'ids' },
    resolve: (_, { ids }, context) => ids.map((id) => findNode(id, context)),
  }),
}))

/** Finds the object of a key; `undefined` or null if there is none. */
type Find = (key: Key, context: RequestContext) => Promise<object | null | undefined>

/** The parts of an id after its type. */
type Key = readonly (string | undefined)[]

/** The object with an id, marked with its type; null if there is none. @throws AppError if it cannot be read now. */
async function findNode(id: string, context: RequestContext): Promise<object | null> {
  const parsed = parseId(id)
  if (parsed === undefined || !Object.hasOwn(finders, parsed.type)) return null
  const type = parsed.type as NodeTypeName
  if (!isKeyOf(type, parsed.key)) return null
  const found = await finders[type](parsed.key, context).catch(nullIfUnknown)
  if (found === null || found === undefined) return null
  // A copy, because the same value can be part of an answer with another type.
  const node = { ...found }
  // Pothos types only its own references; it accepts names too.
  brandWithType(node, type as never)
  return node
}

/** Number of parts of a key. The key of a deposit has a variable number, because the id at its end has parts. */
const keyLengths: Readonly<Record<Exclude<NodeTypeName, 'Deposit'>, number>> = {
  Chain: 1,
  ChainHead: 1,
  Currency: 2,
  Quote: 1,
  MultiInputQuote: 1,
  Step: 2,
  StepItem: 3,
  RequestStatus: 1,
  InputProgress: 2,
  StepProgress: 2,
}

/** Whether the key has the number of parts of its type, and only lower-case digits. Currencies compare their own. */
const isKeyOf = (type: NodeTypeName, key: Key): boolean =>
  (type === 'Deposit' || key.length === keyLengths[type]) &&
  (type === 'Currency' || key.every((part) => part === part?.toLowerCase()))

/**
 * Parses a number in the form that ids use; -1, which no object has, for any other form: one object must not have two
 * ids.
 */
const numberIn = (part: string | undefined): number =>
  /^(0|[1-9]\d{0,15})$/.test(part ?? '') ? Number(part) : -1

const chainOf = ([chainId]: Key, { operations }: RequestContext) =>
  operations.chain(numberIn(chainId))

async function requestOf(
  [requestId]: Key,
  { operations, loaders }: RequestContext,
): Promise<RequestAnswer | undefined> {
  const { data } = hashField.safeParse(requestId)
  return data && operations.requestStatus(data, loaders)
}

async function quoteOf(
  [quoteId]: Key,
  { operations, loaders }: RequestContext,
): Promise<StoredQuote | undefined> {
  const { data } = hashField.safeParse(quoteId)
  return data && operations.storedQuote(data, loaders)
}

/** A step of a stored quote, as `Step` has it. */
async function stepOf(key: Key, context: RequestContext) {
  const at = numberIn(key[1])
  const quote = await quoteOf(key, context)
  const step = (await quote?.steps())?.[at]
  return step && quote && { ...step, quoteId: await quote.quoteId(), at }
}

const storedAs =
  (type: StoredQuote['storedAs']): Find =>
  async (key, context) => {
    const quote = await quoteOf(key, context)
    return quote?.storedAs === type ? quote : null
  }

const finders = {
  Chain: async (key, context) => chainOf(key, context),
  ChainHead: async (key, context) => {
    const chain = chainOf(key, context)
    return chain?.head && { ...chain.head, chainId: chain.id }
  },
  Currency: async ([chainId, currency], { operations, loaders }) => {
    const chain = chainIdField.safeParse(numberIn(chainId)).data
    const address = accountField.safeParse(currency).data
    if (chain === undefined || address === undefined || address !== currency) return undefined
    return operations.currency(chain, address, loaders)
  },
  RequestStatus: requestOf,
  StepProgress: async (key, context) => {
    const [answer, at] = [await requestOf(key, context), numberIn(key[1])]
    return answer?.request.steps[at] && { answer, at }
  },
  InputProgress: async (key, context) => {
    const [answer, at] = [await requestOf(key, context), numberIn(key[1])]
    const inputs = answer?.request.execution === 'solver' ? answer.request.inputs : []
    return answer && inputs[at] && { answer, at, input: inputs[at] }
  },
  Deposit: async (key, context) => {
    const answer = await requestOf(key, context)
    const depositId = key.slice(1).join(':')
    const deposit = (await answer?.deposits())?.find((each) => each.depositId === depositId)
    return answer && deposit && { ...deposit, answer }
  },
  Quote: storedAs('Quote'),
  MultiInputQuote: storedAs('MultiInputQuote'),
  Step: stepOf,
  StepItem: async (key, context) => {
    const [step, at] = [await stepOf(key, context), numberIn(key[2])]
    return step?.items[at] && { ...step.items[at], quoteId: step.quoteId, step: step.at, at }
  },
} as const satisfies Record<NodeTypeName, Find>
