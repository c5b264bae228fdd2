import type { ConfigInput } from '#src/config.ts'
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
    replace: 'maxWatchedAddresses = 100',
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
]
