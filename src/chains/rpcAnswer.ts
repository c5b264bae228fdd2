import type { Hash, Hex } from 'viem'
import { z } from 'zod'
import type { FollowedBlock } from './chainEvent.ts'
import { UnusableAnswerError } from './rpcError.ts'

/** A block without its logs. `logsBloom` is `null` on chains that keep none. */
export type Header = Readonly<
  Omit<FollowedBlock, 'logs'> & {
    logsBloom: Hex | null
  }
>

export type BlockLog = FollowedBlock['logs'][number]

const hexOf = (digits: RegExp) => z.string().regex(digits).transform(lowerCase)
const hash = hexOf(/^0x[0-9a-f]{64}$/i)
const bytes = hexOf(/^0x[0-9a-f]*$/i).refine((text) => text.length % 2 === 0)
/** Bounded to 256 bits before it becomes a number. */
const quantity = z
  .string()
  .regex(/^0x[0-9a-f]{1,64}$/i)
  .transform(BigInt)
const index = z
  .string()
  .regex(/^0x[0-9a-f]{1,8}$/i)
  .transform(Number)

const header = z.object({
  number: quantity,
  hash,
  parentHash: hash,
  timestamp: quantity,
  baseFeePerGas: quantity.nullish().transform((fee) => fee ?? null),
  logsBloom: hexOf(/^0x[0-9a-f]{512}$/i)
    .nullish()
    .transform((bloom) => bloom ?? null),
})

const log = z.object({
  address: hexOf(/^0x[0-9a-f]{40}$/i),
  topics: z
    .array(hash)
    .max(4)
    .transform((topics) => topics as [Hex, ...Hex[]] | []),
  data: bytes,
  blockHash: hash,
  blockNumber: quantity,
  logIndex: index,
  transactionHash: hash,
  transactionIndex: index,
  removed: z.boolean().default(false),
})

/** `undefined` for `null`, which a node answers for a block that it does not have. @throws UnusableAnswerError */
export const parseHeader = (answer: unknown): Header | undefined =>
  answer === null ? undefined : parse(header, answer)

/** @throws UnusableAnswerError */
export const parseLogs = (answer: unknown): BlockLog[] => parse(z.array(log), answer)

/** @throws UnusableAnswerError */
export const parseChainId = (answer: unknown): bigint => parse(quantity, answer)

/** The answers that are relied on: a node behind a broken proxy gives `""`, `null` or a page of HTML. */
const answerByMethod: Readonly<Record<string, z.ZodType>> = {
  eth_blockNumber: quantity,
  eth_call: bytes,
  eth_chainId: quantity,
  eth_estimateGas: quantity,
  eth_feeHistory: z.object({
    oldestBlock: quantity,
    baseFeePerGas: z.array(quantity),
    gasUsedRatio: z.array(z.number()),
    reward: z.array(z.array(quantity)).nullish(),
  }),
  eth_gasPrice: quantity,
  eth_getBalance: quantity,
  eth_getBlockByHash: header.nullable(),
  eth_getBlockByNumber: header.nullable(),
  eth_getCode: bytes,
  eth_getLogs: z.array(log),
  eth_getTransactionCount: quantity,
  eth_maxPriorityFeePerGas: quantity,
  eth_sendRawTransaction: hash,
}

/** Holds an answer against what its method may give, and passes it on as it came. @throws UnusableAnswerError */
export function checkAnswer(method: string, answer: unknown): unknown {
  const shape = answerByMethod[method]
  if (shape !== undefined) parse(shape, answer)
  return answer
}

function parse<Shape extends z.ZodType>(shape: Shape, answer: unknown): z.output<Shape> {
  const parsed = shape.safeParse(answer)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw new UnusableAnswerError(`${issue?.path.join('.') || 'the answer'}: ${issue?.message}`)
}

function lowerCase(text: string): Hash {
  return text.toLowerCase() as Hash
}
