import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { findBlockBefore } from './readBlock.ts'

/** Blocks of a chain, from the seconds between them. */
function blocksOf(pauses: readonly number[]) {
  let timestamp = 1_000n
  return [0, ...pauses].map((pause, at) => {
    timestamp += BigInt(pause)
    return { number: BigInt(at), timestamp, hash: `0x${at}` as const }
  })
}

it('finds the block that a linear search finds, and reads one header per bit of the height', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(3), { maxLength: 60 }),
      fc.integer({ min: 990, max: 1_200 }),
      async (pauses, time) => {
        const blocks = blocksOf(pauses)
        const blockAt = vi.fn(async (number: bigint) => blocks[Number(number)] ?? expect.fail())
        const last = await blockAt(BigInt(pauses.length))
        blockAt.mockClear()
        const expected = blocks.findLast(({ timestamp }) => timestamp < time) ?? blocks[0]
        expect(await findBlockBefore(blockAt, BigInt(time), last)).toBe(expected)
        expect(blockAt.mock.calls.length).toBeLessThanOrEqual(1 + blocks.length.toString(2).length)
      },
    ),
  )
})
