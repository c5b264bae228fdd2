import { isFast } from '#test/support/runs.ts'
import { storeHomes } from './storeHome.ts'

/** Of a test that says little about the database: all kinds in `npm run test:all`, one in `npm test`. */
export const repeatedHomes = isFast ? storeHomes.slice(-1) : storeHomes
