import type { ConfigInput } from '#src/config.ts'
import type { Day } from './attack.ts'
import { dust } from './days/dust.ts'
import { lostCommit } from './days/lostCommit.ts'
import { lyingEndpoint } from './days/lyingEndpoint.ts'
import { prices } from './days/prices.ts'
import { reorgs } from './days/reorgs.ts'
import { revertingFills } from './days/revertingFills.ts'
import type { ConfigChange } from './world.ts'

export const days: readonly Day[] = [
  revertingFills,
  dust,
  reorgs,
  lyingEndpoint,
  prices,
  lostCommit,
]

/** A defence that configuration can switch off, and the days that show what it is worth. */
type Defence = Readonly<{ name: string; days: readonly string[]; without: ConfigChange }>

const onEachChain =
  (change: Partial<ConfigInput['chains'][number]>): ConfigChange =>
  (config) => ({
    ...config,
    chains: config.chains.map((chain) => ({ ...chain, ...change })),
  })

export const defences: readonly Defence[] = [
  {
    name: 'confirmations',
    days: ['reorgs'],
    without: onEachChain({
      depositConfirmations: 0,
      depositTiers: [{ upToUsd: '1000', blocks: 0 }],
    }),
  },
  {
    name: 'agreement',
    days: ['a lying endpoint'],
    without: onEachChain({ agreeingEndpoints: 1 }),
  },
]
