import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createGroupCommit } from './groupCommit.ts'

const limits = { batchEntries: 5, batchSize: 20, waitingSize: 60 }
const sizeOf = (size: number) => size
const refuse = () => new Error('refused')

/** Batches wait until the test ends them. */
function createWriter() {
  const batches: (readonly number[])[] = []
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const write = async (batch: readonly number[]) => {
    batches.push(batch)
    begin()
    await gate
    return outcomesOf(batch)
  }
  return { batches, begun, open, write }
}

/** Entries whose size is a multiple of 7 fail alone; a multiple of 11 fails the whole batch. */
function outcomesOf(batch: readonly number[]): (Error | undefined)[] {
  if (batch.some((size) => size % 11 === 0)) throw new Error('batch')
  return batch.map((size) => (size % 7 === 0 ? new Error('entry') : undefined))
}

const resultOf = (put: Promise<void>): Promise<string> =>
  put.then(
    () => 'written',
    (error: Error) => error.message,
  )

const outcomeOf = (size: number, batch: readonly number[]): string => {
  try {
    return outcomesOf(batch)[batch.indexOf(size)]?.message ?? 'written'
  } catch (error) {
    return (error as Error).message
  }
}

const sizes = fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 40 })

describe('createGroupCommit', () => {
  it('writes each entry once, in order, in maximal batches, and reports each outcome', async () => {
    await fc.assert(
      fc.asyncProperty(sizes, sizes, async (first, later) => {
        const { batches, begun, open, write } = createWriter()
        const commits = createGroupCommit({ write, sizeOf, refuse }, limits)
        const puts = first.map((size) => resultOf(commits.put(size)))
        if (first.length > 0) await begun
        puts.push(...later.map((size) => resultOf(commits.put(size))))
        open()
        const ends = await Promise.all(puts)

        const taken = [...first, ...later].filter((_, at) => ends[at] !== 'refused')
        expect(batches.flat()).toEqual(taken)
        const expected = batches.flatMap((batch) => batch.map((size) => outcomeOf(size, batch)))
        expect(ends.filter((end) => end !== 'refused')).toEqual(expected)
        for (const [at, batch] of batches.entries()) {
          const sum = batch.reduce((total, size) => total + size, 0)
          expect(batch.length === 1 || (batch.length <= 5 && sum <= 20)).toBe(true)
          const [next] = batches[at + 1] ?? []
          // The first batch was written before the later entries arrived.
          if (at > 0 && next !== undefined) expect(batch.length === 5 || sum + next > 20).toBe(true)
        }
      }),
    )
  })

  it('refuses entries beyond the queue limit, until there is space again', async () => {
    const { begun, open, write } = createWriter()
    const commits = createGroupCommit({ write, sizeOf, refuse }, limits)
    const writing = resultOf(commits.put(20))
    await begun
    const waiting = [resultOf(commits.put(30)), resultOf(commits.put(30))]
    expect(await resultOf(commits.put(1))).toBe('refused')
    open()
    expect(await Promise.all([writing, ...waiting])).toEqual(['written', 'written', 'written'])
    expect(await resultOf(commits.put(1))).toBe('written')
  })

  it('closes once all earlier entries are written, and refuses later ones', async () => {
    const { batches, open, write } = createWriter()
    const commits = createGroupCommit({ write, sizeOf, refuse }, limits)
    const puts = [1, 2, 3, 4, 5, 6].map((size) => resultOf(commits.put(size)))
    const closing = commits.close().then(() => batches.flat())
    expect(await resultOf(commits.put(8))).toBe('refused')
    open()
    expect(await closing).toEqual([1, 2, 3, 4, 5, 6])
    expect(new Set(await Promise.all(puts))).toEqual(new Set(['written']))
  })
})
