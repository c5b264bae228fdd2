import type { Day } from './attack.ts'
import { dust } from './days/dust.ts'
import { edges } from './days/edges.ts'
import { failedPeg } from './days/failedPeg.ts'
import { hostileContracts } from './days/hostileContracts.ts'
import { laggingFeed } from './days/laggingFeed.ts'
import { lostCommit } from './days/lostCommit.ts'
import { lyingEndpoint } from './days/lyingEndpoint.ts'
import { movedPools } from './days/movedPools.ts'
import { overpayments } from './days/overpayments.ts'
import { permits } from './days/permits.ts'
import { prices } from './days/prices.ts'
import { reorgs } from './days/reorgs.ts'
import { revertingFills } from './days/revertingFills.ts'
import { stolenPayouts } from './days/stolenPayouts.ts'
import { totals } from './days/totals.ts'
import { unsettleable } from './days/unsettleable.ts'

/** @param dustDeposits how many deposits of 1 wei are made on the day of dust */
export const daysOf = (dustDeposits: number): readonly Day[] => [
  revertingFills,
  dust(dustDeposits),
  overpayments,
  hostileContracts,
  stolenPayouts,
  reorgs,
  lyingEndpoint,
  prices,
  laggingFeed,
  unsettleable,
  movedPools,
  failedPeg,
  permits,
  totals,
  edges,
  lostCommit,
]
