import { type Hex, pad } from 'viem'
import type { LogFilter } from '#src/chains/read/logFilter.ts'
import type { Payer } from '#src/requests/requestStore.ts'
import { type Address, nativeAddress } from '#src/units/address.ts'
import { contractTopics, depositTopics, spendingTopics, type Tracked } from './trackedLogs.ts'

/** Nodes refuse filters with more addresses or topics at one place, the strictest ones at 1,000. */
const maxListed = 500

/** The events of our contracts. */
export const contractFilter = ({
  contracts: { depository, router },
}: Pick<Tracked, 'contracts'>): LogFilter => ({
  address: [depository, router],
  topics: [contractTopics],
})

/** The deposits that the depository records. */
export const recordedDepositFilter = ({
  contracts: { depository },
}: Pick<Tracked, 'contracts'>): LogFilter => ({ address: depository, topics: [depositTopics] })

/** Transfers to the depository. Those of other currencies are left out: anybody may deploy a currency that logs many. */
export const plainDepositFilters = ({
  contracts,
  depositCurrencies,
}: Pick<Tracked, 'contracts' | 'depositCurrencies'>): readonly LogFilter[] =>
  chunksOf([...depositCurrencies].filter((each) => each !== nativeAddress)).map((address) => ({
    address,
    topics: [spendingTopics.transfer, null, pad(contracts.depository)],
  }))

/** What these accounts spend in these currencies, or a little more. */
export function spendingFilters(
  { wrappedNative }: Pick<Tracked, 'wrappedNative'>,
  payers: readonly Payer[],
): readonly LogFilter[] {
  const byUser = [...Map.groupBy(payers, ({ user }) => user)]
  return chunksOf(byUser).map((some) => {
    const currencies = some.flatMap(([, own]) => own.map(({ currency }) => currency))
    // The native currency is spent without a log, unless it is wrapped.
    const address = [
      ...new Set(currencies.map((each) => (each === nativeAddress ? wrappedNative : each))),
    ]
    const topics = [Object.values(spendingTopics), some.map(([user]) => topicOf(user))]
    return address.length > maxListed ? { topics } : { address, topics }
  })
}

/** What anybody spends in any currency. */
export const allSpendings: LogFilter = { topics: [Object.values(spendingTopics)] }

export const topicOf = (account: Address): Hex => pad(account)

const chunksOf = <Item>(items: readonly Item[]): readonly (readonly Item[])[] =>
  Array.from({ length: Math.ceil(items.length / maxListed) }, (_, at) =>
    items.slice(at * maxListed, (at + 1) * maxListed),
  )
