import fc from 'fast-check'
import { decodeFunctionData, erc20Abi } from 'viem'
import { expect, it } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import { parties, quoteAnswer } from '#test/support/fixtures/upstreamAnswer.ts'
import { fallbackTo } from '#test/support/rigs/fallbackRig.ts'

type Json = Readonly<Record<string, unknown>>

/** The paths of all leaves of a JSON value. */
function leavesOf(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path]
  return Object.entries(value).flatMap(([key, member]) => leavesOf(member, [...path, key]))
}

function withLeaf(value: unknown, [key, ...rest]: readonly string[], leaf: unknown): unknown {
  if (key === undefined) return leaf
  if (Array.isArray(value))
    return value.map((each, at) => (`${at}` === key ? withLeaf(each, rest, leaf) : each))
  return { ...(value as Json), [key]: withLeaf((value as Json)[key], rest, leaf) }
}

const good = quoteAnswer()
const leaf = fc.oneof(
  fc.constantFrom<unknown>(parties.thief, '0x', '', null, undefined, 0, 1, -1, true, {}, []),
  fc.constantFrom('0', '1', '100000001', `${2n ** 255n}`, '1e9', ' 1', '0x01', 'signature'),
  fc.string({ maxLength: 80 }),
  fc.constantFrom(...leavesOf(good)).map((path) => {
    let value: unknown = good
    for (const key of path) value = (value as Json)[key]
    return value
  }),
)

it('for any change of an answer, a quote that is passed on takes the input at most, for our accounts', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom(...leavesOf(good)), leaf), { minLength: 1, maxLength: 2 }),
      async (changes) => {
        const answer = changes.reduce<unknown>(
          (value, [path, each]) => withLeaf(value, path, each),
          good,
        )
        const { quote, stored } = fallbackTo(answer)
        const passed = await quote().catch((error: unknown) => error)
        if (passed instanceof AppError) {
          expect(stored).toEqual([])
          return
        }
        if (passed instanceof Error) throw passed
        const { steps } = passed as Awaited<ReturnType<typeof quote>>
        const [approve, deposit] = (await steps()).flatMap(({ items }) => items)
        for (const each of [approve, deposit])
          expect(each?.data).toMatchObject({ from: parties.user, value: 0n, chainId: 1 })
        const { args } = decodeFunctionData({ abi: erc20Abi, data: approve?.data.data ?? '0x' })
        expect([approve?.data.to, String(args?.[0]).toLowerCase(), args?.[1]]).toEqual([
          ...[parties.usdc, parties.depository, 100_000_000n],
        ])
        expect(deposit?.data.to).toBe(parties.depository)
        expect(deposit?.data.data).toBe(good.steps[1]?.items[0]?.data.data)
        expect(stored[0]).toMatchObject({ recipient: parties.recipient, amountIn: 100_000_000n })
      },
    ),
    { numRuns: 1_000 },
  )
})
