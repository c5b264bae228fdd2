import fc from 'fast-check'
import { afterAll, expect, inject } from 'vitest'
import { takeAbandonedWaits } from './abandonedWaits.ts'
import { runs } from './runs.ts'

const seed = inject('seed')
fc.configureGlobal({ numRuns: runs(100), ...(seed !== undefined && { seed }) })

afterAll(() => {
  expect(takeAbandonedWaits(), 'waits that the file leaves behind').toEqual([])
})
