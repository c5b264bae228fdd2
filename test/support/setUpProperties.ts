import fc from 'fast-check'
import { runs } from './runs.ts'

const { VITE_FAST_CHECK_SEED: seed } =
  (import.meta as { env?: Readonly<Record<string, string | undefined>> }).env ?? {}

// CI names a seed, so that it draws the same cases for every commit. Elsewhere each run draws others.
fc.configureGlobal({ numRuns: runs(100), ...(seed !== undefined && { seed: Number(seed) }) })
