import { type Hex, pad } from 'viem'
import { chunksOf } from '#src/chains/chunksOf.ts'
import type { LogFilter } from '#src/chains/read/logFilter.ts'
import { type Address, nativeAddress } from '#src/core/units/address.ts'
import type { Payer } from '#src/requests/trackingStore.ts'
import { contractTopics, depositTopics, spendingTopics, type Tracked } from './trackedLogs.ts'

/** Maximum number of addresses or topics at one place of a filter. The strictest nodes refuse 1,000. */
const maxListed = 500

/** The events of our contracts. */
export const contractFilter = ({ contracts: { depository, router } }: Tracked): LogFilter => ({
  address: [depository, router],
  topics: [contractTopics],
})

/** The deposits that the depository records. */
export const recordedDepositFilter = ({ contracts: { depository } }: Tracked): LogFilter => ({
  address: depository,
  topics: [depositTopics],
})

/**
 * Transfers of deposit currencies to the depository. Anybody may deploy another currency and flood the logs with it.
 */
export const plainDepositFilters = ({
  contracts,
  depositCurrencies,
}: Tracked): readonly LogFilter[] =>
  chunksOf(
    [...depositCurrencies].filter((each) => each !== nativeAddress),
    maxListed,
  ).map((address) => ({
    address,
    topics: [spendingTopics.transfer, null, pad(contracts.depository)],
  }))

/** Spendings of these accounts in these currencies. Also matches other pairs of the two. */
export function spendingFilters(
  { wrappedNative }: Tracked,
  payers: readonly Payer[],
): readonly LogFilter[] {
  const byUser = [...Map.groupBy(payers, ({ user }) => user)]
  return chunksOf(byUser, maxListed).map((some) => {
    const currencies = some.flatMap(([, own]) => own.map(({ currency }) => currency))
    // The native currency is spent without a log, unless it is wrapped.
    const address = [
      ...new Set(currencies.map((each) => (each === nativeAddress ? wrappedNative : each))),
    ]
    const topics = [Object.values(spendingTopics), some.map(([user]) => topicOf(user))]
    return address.length > maxListed ? { topics } : { address, topics }
  })
}

/** Spendings of all accounts in all currencies. */
export const allSpendings: LogFilter = { topics: [Object.values(spendingTopics)] }

export const topicOf = (account: Address): Hex => pad(account)
