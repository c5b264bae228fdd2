import type { ConfigInput } from '#src/config/config.ts'
import type { Edit } from './edits.ts'
import type { ConfigChange } from './world.ts'

/**
 * A defence, and the days that show what it is worth. A configuration switches it off, or edits of the source while it
 * is loaded: no option of the product exists only to be switched off.
 */
export type Defence = Readonly<{
  name: string
  days: readonly string[]
  without?: ConfigChange
  edits?: readonly Edit[]
  /** Without it attackers take nothing: the solver pays more gas than in a week without them. */
  savesGas?: boolean
}>

const onEachChain =
  (change: Partial<ConfigInput['chains'][number]>): ConfigChange =>
  (config) => ({
    ...config,
    chains: config.chains.map((chain) => ({ ...chain, ...change })),
  })

/** In US dollars: more than the devnet holds. */
const unlimited = '999999999999'

const unconfirmed = {
  depositConfirmations: 0,
  depositTiers: [{ upToUsd: unlimited, blocks: 0 }],
}

/** Totals that the attackers of one day can reach. */
export const smallTotals: readonly Edit[] = [
  {
    file: 'src/requests/watchedAddress.ts',
    find: 'maxWatchedAddresses = 10_000',
    replace: 'maxWatchedAddresses = 200',
  },
]

export const defences: readonly Defence[] = [
  { name: 'confirmations', days: ['reorgs'], without: onEachChain(unconfirmed) },
  {
    // It limits the loss if confirmations fail, so both are off.
    name: 'exposure',
    days: ['reorgs'],
    without: onEachChain({ ...unconfirmed, maxUnfinalizedUsd: unlimited }),
  },
  {
    name: 'agreement',
    days: ['a lying endpoint'],
    without: onEachChain({ agreeingEndpoints: 1 }),
  },
  {
    name: 'feeds',
    days: ['feeds that lag'],
    without: onEachChain({ allowPoolPrices: true }),
  },
  {
    name: 'topup-limit',
    days: ['feeds that lag'],
    without: (config) => ({
      ...config,
      solver: { ...config.solver, maxTopupUsd: unlimited },
    }),
  },
  {
    name: 'settlement-proof',
    days: ['deposits that cannot be settled'],
    edits: [
      {
        file: 'src/core/pricing/settlement.ts',
        find: 'const limit = outflowLimits.get(currency) ?? none',
        replace: 'const limit = amount + 1n',
      },
    ],
  },
  {
    name: 'steady-minimum',
    days: ['pools moved before a payment'],
    without: (config) => ({ ...config, solver: { ...config.solver, openPriceSeconds: 0 } }),
  },
  {
    // An output that only the swapped pool prices also has no steady minimum then.
    name: 'known-impact',
    days: ['pools moved before a payment'],
    without: (config) => ({ ...config, solver: { ...config.solver, openPriceSeconds: 0 } }),
    edits: [
      {
        file: 'src/service/order/priceChecks.ts',
        find: 'if (priced.destination.route === undefined) return',
        replace: 'return',
      },
    ],
  },
  {
    name: 'surplus-minimum',
    days: ['pools moved before a payment'],
    edits: [
      {
        file: 'src/solver/fills/payoutBudget.ts',
        find: 'isPartial || netInput > fill.payoutAmount ?',
        replace: 'isPartial ?',
      },
    ],
  },
  {
    name: 'peg',
    days: ['a peg that fails on the origin chain'],
    without: (config) => ({
      ...config,
      assets: (config.assets ?? []).map((asset) => ({ ...asset, pegTolerance: 10_000 })),
    }),
  },
  {
    name: 'permit-budget',
    days: ['signed payments'],
    savesGas: true,
    edits: [
      {
        file: 'src/solver/permitPayments/permitBudget.ts',
        find: 'const { payer, currency, amount } = use',
        replace: 'return undefined',
      },
    ],
  },
  {
    name: 'gas-ledger',
    days: ['signed payments'],
    savesGas: true,
    edits: [
      {
        file: 'src/solver/payouts/refundPrice.ts',
        find: "permit: { filled: 'quote', refunded: 'deposit'",
        replace: "permit: { filled: 'quote', refunded: 'operator'",
      },
    ],
  },
  {
    name: 'address-shares',
    days: ['totals of all callers'],
    edits: [
      {
        file: 'src/service/limits/addressLimits.ts',
        find: 'Math.min(share, maxLive * (level + 1))',
        replace: 'maxLive * (level + 1)',
      },
    ],
  },
  {
    name: 'short-deposits',
    days: ['money at the edges'],
    edits: [
      {
        file: 'src/requests/tracker/decide/decideDeposits.ts',
        find: 'if (timestamp > lastDepositTime(request)) return undefined',
        replace: 'return undefined',
      },
    ],
  },
  {
    name: 'payees',
    days: ['money at the edges'],
    edits: [
      {
        file: 'src/service/payees/checkPayees.ts',
        find: 'const what = describe(each)',
        replace: 'const what = undefined',
      },
    ],
  },
  {
    name: 'refund-payees',
    days: ['money at the edges'],
    edits: [
      {
        file: 'src/service/payees/checkNativePayees.ts',
        find: '[...paymentsOut(price), ...paymentsBack(price, payees)]',
        replace: '[...paymentsOut(price)]',
      },
    ],
  },
]
