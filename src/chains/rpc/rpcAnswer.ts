import type { Hash, Hex } from 'viem'
import { z } from 'zod'
import type { DatedBlock, FeeBlock, LoggedBlock } from '#src/chains/chainEvent.ts'
import { UnusableAnswerError } from './rpcError.ts'

/** A block without its logs. `logsBloom` is `null` on chains without a bloom filter. */
export type Header = DatedBlock & FeeBlock & Readonly<{ logsBloom: Hex | null }>

export type BlockLog = LoggedBlock['logs'][number]

const hashShape = /^0x[0-9a-f]{64}$/i
const addressShape = /^0x[0-9a-f]{40}$/i
const bytesShape = /^0x[0-9a-f]*$/i
const bloomShape = /^0x[0-9a-f]{512}$/i
/** At most 256 bits: the length is checked before the conversion to a number. */
const quantityShape = /^0x[0-9a-f]{1,64}$/i
/** Below 2^52. */
const heightShape = /^0x[0-9a-f]{1,13}$/i
/** Below 2^31, because it is stored as a 32-bit integer. */
const indexShape = /^0x[0-7]?[0-9a-f]{1,7}$/i

const hexOf = (shape: RegExp) => z.string().regex(shape).transform(lowerCase)
/** In lower case, like every hex value read here. */
export const hash = hexOf(hashShape)
export const bytes = hexOf(bytesShape).refine((text) => text.length % 2 === 0)
export const quantity = z.string().regex(quantityShape).transform(BigInt)
const upTo = (max: bigint) =>
  quantity.refine((value) => value <= max, `no chain has more than ${max}`)
/** Heights and counts are stored and compared as numbers. */
const maxHeight = BigInt(Number.MAX_SAFE_INTEGER)
export const height = upTo(maxHeight)
export const count = height.transform(Number)
/** Units of gas. */
const maxGas = 2n ** 64n - 1n
export const gas = upTo(maxGas)
/** Wei per unit of gas. Its product with `maxGas` still fits into 256 bits. */
const maxGasPrice = 2n ** 128n - 1n
export const gasPrice = upTo(maxGasPrice)
/** In seconds since 1970: the limit of a JavaScript `Date`. */
const lastTimestamp = 8_640_000_000_000n

/** Undefined if the answer is `null`: the node does not have the block. @throws UnusableAnswerError */
export const parseHeader = (answer: unknown): Header | undefined =>
  answer === null ? undefined : toHeader(answer)

/** @throws UnusableAnswerError */
export function parseLogs(answer: unknown): BlockLog[] {
  if (!Array.isArray(answer)) throw new UnusableAnswerError('logs are not a list')
  return answer.map(toLog)
}

/** @throws UnusableAnswerError */
export const parseChainId = (answer: unknown): bigint => parse(quantity, answer)

/** @throws UnusableAnswerError */
export const parseHeight = (answer: unknown): bigint => parse(height, answer)

/** Checked, because a broken proxy in front of a node may answer `""`, `null` or a page of HTML. */
const answerByMethod: Readonly<Record<string, z.ZodType>> = {
  eth_blockNumber: height,
  eth_call: bytes,
  eth_chainId: quantity,
  eth_estimateGas: gas,
  eth_feeHistory: z.object({
    oldestBlock: height,
    baseFeePerGas: z.array(gasPrice),
    gasUsedRatio: z.array(z.number()),
    reward: z.array(z.array(gasPrice)).nullish(),
  }),
  eth_gasPrice: gasPrice,
  eth_getBalance: quantity,
  eth_getCode: bytes,
  eth_getTransactionCount: count,
  eth_maxPriorityFeePerGas: gasPrice,
  eth_sendRawTransaction: hash,
}

/** Returns the answer unchanged if it has the form that its method allows. @throws UnusableAnswerError */
export function checkAnswer(method: string, answer: unknown): unknown {
  if (method === 'eth_getLogs') parseLogs(answer)
  if (method === 'eth_getBlockByHash' || method === 'eth_getBlockByNumber') parseHeader(answer)
  const shape = answerByMethod[method]
  if (shape !== undefined) parse(shape, answer)
  return answer
}

/** Without zod, for speed: each new block has a header. */
function toHeader(raw: unknown): Header {
  const header = (raw ?? {}) as Readonly<Record<string, unknown>>
  const read = (name: string, shape: RegExp) => toHex(name, header[name], shape)
  const number = (name: string, max: bigint) => {
    const value = BigInt(read(name, quantityShape))
    if (value > max) throw new UnusableAnswerError(`${name}: no chain has more than ${max}`)
    return value
  }
  const optional = <Value>(name: string, of: (name: string) => Value) =>
    header[name] == null ? null : of(name)
  const used = optional('gasUsed', (name) => number(name, maxGas))
  const limit = optional('gasLimit', (name) => number(name, maxGas))
  return {
    number: number('number', maxHeight),
    hash: read('hash', hashShape),
    parentHash: read('parentHash', hashShape),
    timestamp: number('timestamp', lastTimestamp),
    baseFeePerGas: optional('baseFeePerGas', (name) => number(name, maxGasPrice)),
    logsBloom: optional('logsBloom', (name) => read(name, bloomShape)),
    gas: used === null || limit === null ? null : { used, limit },
  }
}

/** Without zod, which takes 20 µs per log. A block may have thousands of logs, and quotes wait during the parsing. */
function toLog(raw: unknown): BlockLog {
  const log = (raw ?? {}) as Readonly<Record<string, unknown>>
  const { topics, removed = false } = log
  if (!Array.isArray(topics) || topics.length > 4) throw new UnusableAnswerError('topics')
  if (typeof removed !== 'boolean') throw new UnusableAnswerError('removed')
  const read = (name: string, shape: RegExp) => toHex(name, log[name], shape)
  const data = read('data', bytesShape)
  if (data.length % 2 === 1) throw new UnusableAnswerError('data')
  return {
    address: read('address', addressShape),
    topics: topics.map((topic) => toHex('topics', topic, hashShape)) as [Hex, ...Hex[]] | [],
    data,
    blockHash: read('blockHash', hashShape),
    blockNumber: BigInt(read('blockNumber', heightShape)),
    logIndex: Number(read('logIndex', indexShape)),
    transactionHash: read('transactionHash', hashShape),
    transactionIndex: Number(read('transactionIndex', indexShape)),
    removed,
  }
}

function toHex(name: string, text: unknown, shape: RegExp): Hex {
  if (typeof text !== 'string' || !shape.test(text)) throw new UnusableAnswerError(name)
  return lowerCase(text)
}

/** @throws UnusableAnswerError */
export function parse<Shape extends z.ZodType>(shape: Shape, answer: unknown): z.output<Shape> {
  const parsed = shape.safeParse(answer)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw new UnusableAnswerError(`${issue?.path.join('.') || 'the answer'}: ${issue?.message}`)
}

function lowerCase(text: string): Hash {
  return text.toLowerCase() as Hash
}
