import { drizzle } from 'drizzle-orm/pg-proxy'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toChainId } from '#src/core/units/chainId.ts'
import { inIndexOrder } from '#src/requests/store/connection/callerReads.ts'
import type { Database } from '#src/requests/store/connection/database.ts'
import { openPglite } from '#src/requests/store/connection/openPglite.ts'
import { openPostgres } from '#src/requests/store/connection/openPostgres.ts'
import { quotedRequest } from '#test/support/fixtures/quotedRequest.ts'
import { isLong } from '#test/support/runs.ts'
import { copyRequests } from '#test/support/store/copyRequests.ts'
import { everyFilter } from '#test/support/store/listFilters.ts'
import { type StoreHome, silentLog, storeHomes } from '#test/support/store/storeHome.ts'
import { countRequests, listRequests } from './listRequests.ts'

const scannedRows = 100
const { user, originChainId, destinationChainId } = quotedRequest('0x')
const filters = everyFilter(
  { user, originChainId, destinationChainId, referrer: 'a frontend' },
  { referrer: 'nobody', chainId: toChainId(5) },
)
  // 17 divides no number of choices: each choice occurs, along with those of other kinds.
  .filter((_, at) => isLong || at % 17 === 0)

describe.each(storeHomes)('a list on %s', (_, createHome) => {
  let home: StoreHome
  let database: Database
  beforeAll(async () => {
    home = await createHome()
    await copyRequests(home, { unpaid: 2_000, paid: 2_000 })
    await home.query(
      `update requests set referrer = 'rare' where created_at % 500 = 0 and created_at % 1000000 > 0`,
    )
    const { directory, databaseUrl } = home.where
    database = await (databaseUrl === undefined
      ? openPglite(directory)
      : openPostgres(databaseUrl, silentLog))
  })
  afterAll(async () => {
    await database?.close()
    await home?.remove()
  })

  /** Runs a query on a database that counts the rows that its indexes give. */
  async function rowsReadBy(query: (counted: Database) => unknown) {
    let read = 0
    const db = drizzle(async (text, params) => {
      const explain = `explain (analyze, costs off, format json) ${text}`
      const [, [[plan] = []] = []] = (await database.atomically([
        { text: inIndexOrder, params: [] },
        { text: explain, params },
      ])) as string[][][]
      read += rowsOf(JSON.parse(plan ?? '')[0].Plan)
      const [rows = []] = (await database.atomically([{ text, params }])) as string[][][]
      return { rows }
    })
    await query({ ...database, db, scannedRows })
    return read
  }

  it('reads few rows, whatever its filter, of thousands of unpaid quotes and of paid requests', async () => {
    for (const filter of filters) {
      const read = await rowsReadBy((of) => listRequests(of, { ...filter, first: 5 }))
      // Up to six indexes. Each reads a few rows more, which it sorts by their ids.
      if (read >= 1_000) expect({ read, ...filter }).toBe('less than 1,000 rows')
    }
  })

  it('counts few rows, whatever its filter', async () => {
    for (const filter of filters) {
      const read = await rowsReadBy((of) => countRequests(of, { ...filter, first: 1 }, 200))
      if (read >= 500) expect({ read, ...filter }).toBe('less than 500 rows')
    }
  })

  it.each(['newest', 'oldest'] as const)(
    'gives rare requests on short pages, the %s first',
    async (order) => {
      const pages: string[][] = []
      let after: string | undefined
      do {
        const filter = { account: user, referrer: 'rare', order, first: 3 }
        const page = await listRequests(
          { ...database, scannedRows },
          { ...filter, ...(after && { after }) },
        )
        pages.push(page.requests.map(({ createdAt }) => `${createdAt}`))
        after = page.next
      } while (after !== undefined)
      const times = [1_790_000_000_000, 1_800_000_000_000].flatMap((first) =>
        Array.from({ length: 4 }, (_, at) => `${first + 500 * (at + 1)}`),
      )
      expect(pages.flat()).toEqual(order === 'oldest' ? times : times.toReversed())
      expect(pages.some(({ length }) => length === 0)).toBe(true)
    },
  )
})

type Plan = Readonly<{
  'Node Type': string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: readonly Plan[]
}>

/** The rows that the scans of a plan have read from tables and indexes. */
function rowsOf(plan: Plan): number {
  const own =
    (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'] +
    (plan['Rows Removed by Index Recheck'] ?? 0)
  const isScan = plan['Node Type'].includes('Scan') && plan['Node Type'] !== 'Subquery Scan'
  return (isScan ? own : 0) + (plan.Plans ?? []).reduce((sum, each) => sum + rowsOf(each), 0)
}
