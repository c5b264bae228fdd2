import { expect, test } from 'vitest'
import { createRandomHash } from './randomHash.ts'

test('returns hashes that differ as a whole and in each part', () => {
  const [one, other] = [createRandomHash(), createRandomHash()]
  const hashes = Array.from({ length: 1_000 }, () => [one(), other()]).flat()
  for (const hash of hashes) expect(hash).toMatch(/^0x[0-9a-f]{64}$/)
  expect(new Set(hashes).size).toBe(2_000)
  for (const start of [2, 26, 50])
    expect(new Set(hashes.map((hash) => hash.slice(start, start + 16))).size).toBe(2_000)
})
