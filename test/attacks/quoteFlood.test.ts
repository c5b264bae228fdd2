import { afterAll, beforeAll, expect, it } from 'vitest'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { quoteInput } from '#src/service/input/quoteInput.ts'
import { createOpenQuotes } from '#src/service/limits/openQuotes.ts'
import { quote } from '#src/service/quote/quote.ts'
import {
  account,
  currencyOf,
  destinationChain,
  originChain,
} from '#test/support/fixtures/markets.ts'
import { client, createQuoteDeps, loaders } from '#test/support/fixtures/quoteDeps.ts'
import { createPgliteHome, type StoreHome } from '#test/support/store/storeHome.ts'

/** The default of `maxOpenQuotes`. */
const maxOpenQuotes = 1_000

let home: StoreHome
let store: RequestStore
beforeAll(async () => {
  home = await createPgliteHome()
  store = await home.open()
})
afterAll(async () => {
  await store.close()
  await home.remove()
})

it('a caller that quotes without end does not fill the database', async () => {
  const { deps } = createQuoteDeps({
    store: store.put,
    openQuotes: createOpenQuotes({ count: store.countOpenQuotes, now: Date.now }),
    maxOpenQuotes,
  })
  const [from, to] = [currencyOf(originChain, 'USDC'), currencyOf(destinationChain, 'USDC')]
  const quoteOnce = async (at: number): Promise<boolean> => {
    const request = quoteInput.parse({
      // A flood with a new user each time: no caller proves to be the user.
      user: `0x${(at + 1).toString(16).padStart(40, '0')}`,
      recipient: account('4'),
      originChainId: from.chainId,
      originCurrency: from.address,
      destinationChainId: to.chainId,
      destinationCurrency: to.address,
      amount: '50000000',
      tradeType: 'EXACT_INPUT',
    })
    const answer = await quote(deps, request, loaders, client)
    return answer.requestId().then(
      () => true,
      () => false,
    )
  }
  const all = await Promise.all(
    Array.from({ length: maxOpenQuotes + 20 }, (_, at) => quoteOnce(at)),
  )
  const stored = all.filter((each) => each).length
  expect(
    stored,
    `one address has ${stored} open quotes: ${stored - maxOpenQuotes} more than allowed, for nothing`,
  ).toBeLessThanOrEqual(maxOpenQuotes)
})
