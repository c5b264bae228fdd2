import { expect, it } from 'vitest'
import { createFinalityTracker, finalityPauseOf } from './finalityTracker.ts'

it('has the configured depth until a block is final', () => {
  const tracker = createFinalityTracker({ finalityDepth: 64 })
  expect(tracker.at(1_000n)).toEqual({ height: undefined, blocks: 64 })
})

it('reports the largest number of blocks until finality, if finality advances by an epoch at once', () => {
  const tracker = createFinalityTracker({ finalityDepth: 64 })
  tracker.finalize(936n)
  expect(tracker.at(1_000n)).toEqual({ height: 936n, blocks: 64 })
  expect(tracker.at(1_032n)).toEqual({ height: 936n, blocks: 96 })
  tracker.finalize(968n)
  // Block 937 had 95 blocks on top when it became final.
  expect(tracker.at(1_032n)).toEqual({ height: 968n, blocks: 95 })
})

it('grows while finality does not advance', () => {
  const tracker = createFinalityTracker({ finalityDepth: 64 })
  tracker.finalize(10n)
  expect(tracker.at(500n).blocks).toBe(490)
})

it.each([
  { blockSeconds: 2, pauses: [2n, 2n, 2n, 3n, 8n, 15n, 16n, 16n] },
  { blockSeconds: 0.25, pauses: [4n, 4n, 4n, 4n, 8n, 15n, 16n, 16n] },
  { blockSeconds: 0.01, pauses: [16n, 16n, 16n, 16n, 16n, 16n, 16n, 16n] },
])(
  'finality is read again after an eighth of the blocks that wait for it, once a second at most: $blockSeconds s',
  ({ blockSeconds, pauses }) => {
    const pending = [0n, 2n, 15n, 24n, 64n, 127n, 128n, 10_000n]
    expect(pending.map(finalityPauseOf({ blockSeconds }))).toEqual(pauses)
  },
)
