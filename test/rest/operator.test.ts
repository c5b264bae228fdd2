import { afterAll, beforeAll, expect, it } from 'vitest'
import { createBookService } from '#src/service/books/solverBooks.ts'
import { createCallers } from '#src/service/callers.ts'
import { cannedBooks } from '#test/support/canned/cannedBooks.ts'
import { type ServedGateway, serveGateway } from '#test/support/gateways/serveGateway.ts'

const keyOf = (name: string) => `the key of ${name}`
const identify = createCallers(
  ['operator', 'partner'].map((name) => ({
    name,
    key: keyOf(name),
    sponsors: true,
    discounts: true,
    operator: name === 'operator',
  })),
)

/** The service with its own check of rights, and canned books behind it. */
const { solverBooks } = createBookService({
  config: { chains: [], svmChains: [], assets: [], solver: { targets: [] } } as never,
  market: { status: () => [], currencies: {} } as never,
  requests: { bookDays: async () => [], openRequests: async () => [] },
  identify,
  now: () => Date.UTC(2026, 0, 31),
})

let gateway: ServedGateway
let asked: number[]
beforeAll(async () => {
  gateway = await serveGateway({
    solverBooks: async (client, days) => {
      await solverBooks(client, days)
      asked.push(days)
      return cannedBooks
    },
  })
})
afterAll(() => gateway.close())

const headersOf = (name: string | undefined): Record<string, string> =>
  name === undefined ? {} : { 'x-api-key': keyOf(name) }

async function rest(name: string | undefined, query = '') {
  const response = await fetch(`${gateway.url}/operator/books${query}`, {
    headers: headersOf(name),
  })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

const fields = `
  chains {
    chainId name displayName gasSymbol gasBalance gasBalanceFormatted gasFills
    holdings {
      symbol currency { chainId address symbol name decimals metadata { logoURI verified isNative } }
      balance balanceFormatted balanceUsd unsettled unsettledFormatted
      target targetFormatted minimum minimumFormatted isLow
    }
  }
  moves {
    asset amount amountFormatted amountUsd costUsd
    from { chainId address symbol name decimals metadata { logoURI verified isNative } }
    to { chainId address symbol name decimals metadata { logoURI verified isNative } }
  }
  days { day total { ...sums } chains { chainId gas sums { ...sums } } }
  openRequests { status minAgeSeconds count }
  alarms { name chainId text }`
const sums = `fragment sums on BookSums {
  transactions volumeUsd feesUsd sponsoredUsd gasUsd profitUsd unknownValues
}`

async function graphql(name: string | undefined, argument = '') {
  const response = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headersOf(name) },
    body: JSON.stringify({ query: `{ solverBooks${argument} { ${fields} } } ${sums}` }),
  })
  return response.json()
}

it.each([
  [undefined, 'UNAUTHORIZED', 401],
  ['nobody', 'UNAUTHORIZED', 401],
  ['partner', 'FORBIDDEN', 403],
])('refuses the key of %s, with the same code in both APIs', async (name, code, status) => {
  asked = []
  const { body, status: got } = await rest(name)
  expect([got, body.errorCode]).toEqual([status, code])
  const { data, errors } = await graphql(name)
  expect([data, errors[0].extensions.code]).toEqual([null, code])
  expect(asked).toEqual([])
})

it('answers an operator the same in both APIs, and lets nobody store the answer', async () => {
  asked = []
  const { status, body, headers } = await rest('operator')
  expect(status).toBe(200)
  expect(headers.get('cache-control')).toBe('no-store')
  const { data } = await graphql('operator')
  expect(withoutNulls(data.solverBooks)).toEqual(body)
  expect(asked).toEqual([7, 7])
})

it('takes 1 to 90 days', async () => {
  asked = []
  expect((await rest('operator', '?days=90')).status).toBe(200)
  await graphql('operator', '(days: 1)')
  expect(asked).toEqual([90, 1])
  for (const days of ['0', '91', 'x', '1.5']) {
    const { status, body } = await rest('operator', `?days=${days}`)
    expect([status, body.errorCode]).toEqual([400, 'INVALID_REQUEST'])
  }
  const { errors } = await graphql('operator', '(days: 91)')
  expect(errors[0].extensions.code).toBe('INVALID_REQUEST')
})

/** REST leaves out what GraphQL answers as null. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (typeof value !== 'object' || value === null) return value
  const present = Object.entries(value).filter(([, each]) => each !== null)
  return Object.fromEntries(present.map(([key, each]) => [key, withoutNulls(each)]))
}
