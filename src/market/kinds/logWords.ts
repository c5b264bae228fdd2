import type { Hex } from 'viem'
import { type Address, toAddress } from '#src/core/units/address.ts'
import type { PoolLog } from './marketKind.ts'

/**
 * Decodes a log of one event. Decoders are written by hand because viem hashes signatures for each log, which takes
 * twenty times as long.
 * @throws RangeError if the log is not such an event.
 */
export type Decoder<Event> = (log: PoolLog) => Event

/** The functions that apply a log to a pool, by topic. */
export const eventsOf = <State, Event>(
  decoders: ReadonlyMap<Hex, Decoder<Event>>,
  apply: (pool: State, event: Event) => State,
): ReadonlyMap<Hex, (pool: State, log: PoolLog) => State> =>
  new Map([...decoders].map(([topic, decode]) => [topic, (pool, log) => apply(pool, decode(log))]))

/** The decoded logs. Leaves out logs for which `decode` returns undefined or throws RangeError. */
export function decodeEach<Value extends object>(
  logs: readonly PoolLog[],
  decode: Decoder<Value | undefined>,
): Value[] {
  const values: Value[] = []
  for (const log of logs)
    try {
      const value = decode(log)
      if (value !== undefined) values.push(value)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
    }
  return values
}

type Fields = readonly [bigint, bigint, bigint, bigint, bigint]

/**
 * The first five data fields of a log whose data has `count` fields; 0 for missing ones.
 * @param indexed number of indexed fields.
 */
export function fieldsOf({ topics, data }: PoolLog, count: number, indexed: number): Fields {
  if (topics.length <= indexed) throw new RangeError('A log has too few topics')
  const field = (at: number) => (at < count ? wordAt(data, at) : 0n)
  if (data.length < 2 + 64 * count) throw new RangeError('A log has too little data')
  return [field(0), field(1), field(2), field(3), field(4)]
}

/** The unsigned number in a word of 32 bytes. */
export function wordAt(data: Hex, at: number): bigint {
  const start = 2 + 64 * at
  const digits = data.slice(start, start + 64)
  if (digits.length < 64) throw new RangeError('A word of a log is too short')
  return BigInt(`0x${digits}`)
}

/** The address in a word of 32 bytes. */
export const addressAt = (data: Hex, at: number): Address =>
  toAddress(`0x${data.slice(26 + 64 * at, 66 + 64 * at).toLowerCase()}`)

/** An indexed field. The first one is at 1. */
export const addressIn = ({ topics }: PoolLog, at: number): Address =>
  addressAt(topics[at] ?? '0x', 0)
export const numberIn = ({ topics }: PoolLog, at: number): number =>
  toSigned(wordAt(topics[at] ?? '0x', 0))
export function isTrueIn(log: PoolLog, at: number): boolean {
  const value = numberIn(log, at)
  if (value !== 0 && value !== 1) throw new RangeError('A truth value of a log is neither 0 nor 1')
  return value === 1
}

/** The word as a signed number, such as a tick. */
export function toSigned(word: bigint): number {
  const value = Number(BigInt.asIntN(256, word))
  if (!Number.isSafeInteger(value)) throw new RangeError('A number of a log is too large')
  return value
}
