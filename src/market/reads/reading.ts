import type { Hash } from 'viem'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { type Read, readAll } from './readAll.ts'

/** Contract calls that share a multicall with others, and the function that combines their answers. */
export type Reading<Value> = Readonly<{
  reads: readonly Read<unknown>[]
  /** @param answers in the order of `reads`; undefined if a call reverted or its answer is invalid. */
  conclude: (answers: readonly unknown[]) => Value
}>

type Reads = Readonly<Record<string, Read<unknown>>>

type Answers<Named extends Reads> = Readonly<{
  [Name in keyof Named]: Named[Name] extends Read<infer Value> ? Value | undefined : never
}>

/** Creates a reading from named calls. */
export const reading = <Named extends Reads, Value>(
  named: Named,
  conclude: (answers: Answers<Named>) => Value,
): Reading<Value> => {
  const names = Object.keys(named)
  return {
    reads: Object.values(named),
    conclude: (answers) =>
      conclude(Object.fromEntries(names.map((name, at) => [name, answers[at]])) as Answers<Named>),
  }
}

/** Joins several readings into one. Identical calls are made once. */
export function joinReadings<Value>(
  readings: readonly Reading<Value>[],
): Reading<readonly Value[]> {
  const places = new Map<string, number>()
  const reads: Read<unknown>[] = []
  const placesOf = readings.map((each) =>
    each.reads.map((call) => {
      const key = `${call.to}${call.data}`
      const known = places.get(key) ?? reads.length
      if (known === reads.length) {
        places.set(key, known)
        reads.push(call)
      }
      return known
    }),
  )
  return {
    reads,
    conclude: (answers) =>
      readings.map(({ conclude }, at) =>
        conclude((placesOf[at] as readonly number[]).map((place) => answers[place])),
      ),
  }
}

/**
 * The value of each reading at one block. Uses as few multicalls as possible, usually one.
 * @throws RpcUnavailableError or RpcRefusedError if the node fails.
 */
export async function readTogether<Value>(
  client: ChainClient,
  readings: readonly Reading<Value>[],
  blockHash: Hash,
): Promise<readonly Value[]> {
  const { reads, conclude } = joinReadings(readings)
  const { answers } = await readAll(client, { answers: reads }, blockHash)
  return conclude(answers)
}
