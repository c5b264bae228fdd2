import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Ask } from '#src/chains/rpc/failover.ts'
import { UnusableAnswerError } from '#src/chains/rpc/rpcError.ts'
import { encodeBase58 } from '#src/core/units/svm/base58.ts'
import { pubkeyOf } from '#src/core/units/svm/pubkey.ts'
import { svmSignatureOf } from '#src/core/units/svm/signature.ts'
import { HistoryGapError, readHistory } from './svmHistory.ts'

const vault = pubkeyOf(new Uint8Array(32).fill(1))

const signatureAt = (place: number) => {
  const bytes = new Uint8Array(64).fill(7)
  new DataView(bytes.buffer).setUint32(0, place)
  return svmSignatureOf(bytes)
}

type Entry = Readonly<{ signature: string; slot: number; err: unknown }>

/** An account's history, oldest first: two transactions of each slot. */
const chainOf = (length: number): readonly Entry[] =>
  Array.from({ length }, (_, place) => ({
    signature: signatureAt(place),
    slot: 10 + Math.floor(place / 2),
    err: place % 3 === 0 ? { InstructionError: [0, 'Custom'] } : null,
  }))

type Options = Readonly<{ limit: number; before?: string }>

/** Endpoints that know these histories. Like a node, each answers with an empty list to what it does not know. */
const asking =
  (...endpoints: readonly (readonly Entry[])[]): Ask =>
  async ({ params = [] }, parse) => {
    const { limit, before } = params[1] as Options
    for (const history of endpoints) {
      const newestFirst = history.toReversed()
      const found = newestFirst.findIndex(({ signature }) => signature === before)
      const page = before !== undefined && found < 0 ? [] : newestFirst.slice(found + 1)
      const answer = parse(page.slice(0, limit))
      if (answer !== undefined) return answer
    }
    return undefined
  }

const cursorAt = (history: readonly Entry[], place: number) => {
  const { slot = 0 } = history[place] ?? {}
  return { slot: BigInt(slot), signature: signatureAt(place) }
}

const lengths = fc.oneof(fc.nat(60), fc.constantFrom(1_023, 1_024, 1_025, 2_100))

describe('a history', () => {
  it('is everything after the cursor, oldest first', async () => {
    await fc.assert(
      fc.asyncProperty(lengths, fc.nat(), async (length, pick) => {
        fc.pre(length > 0)
        const place = pick % length
        const history = chainOf(length)
        const read = await readHistory({ ask: asking(history) }, vault, cursorAt(history, place))
        expect(read.map(({ signature }) => signature)).toEqual(
          history.slice(place + 1).map(({ signature }) => signature),
        )
        for (const [at, { error, slot }] of read.entries()) {
          const entry = history[place + 1 + at]
          expect(slot).toBe(BigInt(entry?.slot ?? 0))
          expect(error !== undefined).toBe(entry?.err !== null)
        }
      }),
      { numRuns: 40 },
    )
  })

  it('is everything from a slot on, if no transaction is known', async () => {
    await fc.assert(
      fc.asyncProperty(lengths, fc.nat(1_100), async (length, slot) => {
        const history = chainOf(length)
        const read = await readHistory({ ask: asking(history) }, vault, { slot: BigInt(slot) })
        expect(read.map(({ signature }) => signature)).toEqual(
          history.filter((each) => each.slot >= slot).map(({ signature }) => signature),
        )
      }),
      { numRuns: 40 },
    )
  })

  it('of an endpoint that lost the old part is not taken', async () => {
    const history = chainOf(1_500)
    const cursor = cursorAt(history, 100)
    const pruned = history.slice(200)
    await expect(readHistory({ ask: asking(pruned) }, vault, cursor)).rejects.toThrow(
      HistoryGapError,
    )
    const read = await readHistory({ ask: asking(pruned, history) }, vault, cursor)
    expect(read).toHaveLength(1_399)
  })

  it('of an endpoint that is behind is not taken', async () => {
    const history = chainOf(80)
    const behind = history.slice(0, 40)
    const cursor = cursorAt(history, 60)
    await expect(readHistory({ ask: asking(behind) }, vault, cursor)).rejects.toThrow(
      HistoryGapError,
    )
    expect(await readHistory({ ask: asking(behind, history) }, vault, cursor)).toHaveLength(19)
  })

  it('does not end where another endpoint does not know the page before', async () => {
    const history = chainOf(1_500)
    let asked = 0
    // From the second page on, an endpoint answers that has nothing of the account.
    const ask: Ask = (...request) => {
      asked += 1
      return asking(asked === 1 ? history : [])(...request)
    }
    await expect(readHistory({ ask }, vault, { slot: 0n })).rejects.toThrow(HistoryGapError)
  })

  const page = chainOf(25).map((entry) => ({ ...entry, slot: 10 }))
  const [first, last] = [page[0], page[24]]

  it.each([
    ['out of order', [first, { ...last, slot: 11 }], []],
    ['longer than asked for', chainOf(26).toReversed(), []],
    ['repeated', page, [page[24], page[0]]],
  ])('%s is unusable', async (_, one, two) => {
    const pages = [one, two]
    // The second page begins with the end of the first one.
    const ask: Ask = async (_request, parse) => parse(pages.shift())
    await expect(readHistory({ ask }, vault, { slot: 0n })).rejects.toThrow(UnusableAnswerError)
  })
})

it('signatures of the model are real ones', () => {
  expect(signatureAt(3)).toBe(
    encodeBase58(Uint8Array.from([0, 0, 0, 3, ...new Uint8Array(60).fill(7)])),
  )
})
