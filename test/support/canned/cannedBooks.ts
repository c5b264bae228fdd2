import { toAmount } from '#src/core/units/amount.ts'
import { toUsd } from '#src/core/units/usd.ts'
import { addUp } from '#src/requests/state/books.ts'
import type { SolverBooks } from '#src/service/books/solverBooks.ts'
import { ether, otherEther } from './cannedCurrencies.ts'

const sums = {
  transactions: 12,
  gas: 10n ** 15n,
  gasUsd: toUsd(3_000_000n),
  gasUnknown: 1,
  volumeUsd: toUsd(1_234_500_000n),
  volumeUnknown: 0,
  feesUsd: toUsd(2_500_000n),
  feesUnknown: 1,
  sponsoredUsd: toUsd(0n),
}

const chainOf = (currency: typeof ether, at: number, balance: bigint) => ({
  chainId: currency.chainId,
  name: `chain-${at}`,
  displayName: `Chain ${at}`,
  native: currency,
  gasBalance: toAmount(balance),
  gasFills: balance / 10n ** 16n,
  holdings: [
    {
      currency,
      symbol: 'ETH',
      balance: toAmount(balance),
      balanceUsd: toUsd((balance / 10n ** 12n) * 3_000n),
      unsettled: toAmount(5n * 10n ** 17n),
      target: toAmount(10n * 10n ** 18n),
      minimum: toAmount(5n * 10n ** 18n),
      isLow: balance < 5n * 10n ** 18n,
    },
  ],
})

/** Books of two chains: one has too little, the other too much. */
export const cannedBooks: SolverBooks = {
  chains: [chainOf(ether, 1, 10n ** 18n), chainOf(otherEther, 2, 20n * 10n ** 18n)],
  moves: [
    {
      asset: 'ETH',
      from: otherEther,
      to: ether,
      amount: toAmount(8n * 10n ** 18n),
      usd: toUsd(24_000_000_000n),
      costUsd: undefined,
    },
  ],
  days: [
    { day: '2026-01-31', total: sums, chains: [{ chainId: ether.chainId, sums }] },
    { day: '2026-01-30', total: addUp([]), chains: [] },
  ],
  openRequests: [
    { status: 'pending', minAgeSeconds: 0, count: 3 },
    { status: 'submitted', minAgeSeconds: 3_600, count: 1 },
  ],
  alarms: [
    {
      name: 'CrossquoteInventoryLow',
      chainId: ether.chainId,
      text: 'The solver’s ETH on Chain 1 is below its minimum.',
    },
  ],
}
