import fc from 'fast-check'
import { inject } from 'vitest'
import { runs } from './runs.ts'

const seed = inject('seed')
fc.configureGlobal({ numRuns: runs(100), ...(seed !== undefined && { seed }) })
