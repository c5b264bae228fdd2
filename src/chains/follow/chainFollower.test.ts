import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { FollowedBlock } from '#src/chains/chainEvent.ts'
import { createUnfinalizedBlocks } from './chainFollower.ts'

const blockAt = (number: bigint, salt: number): FollowedBlock => ({
  number,
  hash: `0x${number.toString(16)}${salt.toString(16).padStart(8, '0')}`,
  parentHash: '0x',
  timestamp: 0n,
  baseFeePerGas: null,
  gas: null,
  logs: [],
})

const steps = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant('push' as const), salt: fc.nat(1_000_000) }),
    fc.record({ do: fc.constant('undo' as const), depth: fc.nat(8) }),
    fc.record({ do: fc.constant('finalize' as const), depth: fc.integer({ min: -3, max: 20 }) }),
  ),
  { maxLength: 60 },
)

test('keeps the blocks above its anchor, up to its limit', () => {
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 8 }), (todo, limit) => {
      const unfinalized = createUnfinalizedBlocks(blockAt(100n, 0), limit)
      const all = [blockAt(100n, 0)]
      let anchored = 0
      for (const step of todo) {
        const top = 100n + BigInt(all.length) - 1n
        if (step.do === 'push') {
          const block = blockAt(top + 1n, step.salt)
          unfinalized.push(block)
          all.push(block)
          anchored = Math.max(anchored, all.length - 1 - limit)
        } else if (step.do === 'undo') {
          const remaining = Math.max(anchored, all.length - 1 - step.depth)
          expect(unfinalized.undoAbove(100n + BigInt(remaining))).toEqual(
            all.splice(remaining + 1).reverse(),
          )
        } else {
          unfinalized.finalize(top - BigInt(step.depth))
          anchored = Math.max(anchored, Math.min(all.length - 1, all.length - 1 - step.depth))
        }
        expect(unfinalized.head()).toMatchObject({ hash: all.at(-1)?.hash })
        expect(unfinalized.anchor()).toEqual({
          number: 100n + BigInt(anchored),
          hash: all[anchored]?.hash,
        })
        expect(all.map((_, at) => unfinalized.hashAt(100n + BigInt(at)))).toEqual(
          all.map(({ hash }, at) => (at < anchored ? undefined : hash)),
        )
        expect(unfinalized.hashAt(100n + BigInt(all.length))).toBeUndefined()
      }
    }),
  )
})
