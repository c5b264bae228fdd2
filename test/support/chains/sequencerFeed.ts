import { numberToHex } from 'viem'
import { toAddress } from '#src/core/units/address.ts'
import type { AnvilClient } from '#src/devnet/chain/anvilProcess.ts'

/** Address of a sequencer's uptime feed in tests. */
export const sequencerFeedAddress = toAddress(`0x${'5e9'.padStart(40, '0')}`)

/**
 * Answers any call with the round (1, slot 0, slot 1, slot 1, 1): slot 0 is the answer, slot 1 the time of its change.
 */
const feedCode = '0x60015f525f54602052600154604052600154606052600160805260a05ff3'

/** Sets the feed's answer for the next block: 0 is up, 1 is down. */
export async function setSequencer(
  anvil: AnvilClient,
  round: Readonly<{ answer: bigint; startedAt: bigint }>,
): Promise<void> {
  await anvil.setCode({ address: sequencerFeedAddress, bytecode: feedCode })
  for (const [index, value] of [round.answer, round.startedAt].entries())
    await anvil.setStorageAt({
      address: sequencerFeedAddress,
      index,
      value: numberToHex(value, { size: 32 }),
    })
}

/** Makes the feed revert. */
export const breakSequencerFeed = (anvil: AnvilClient): Promise<void> =>
  anvil.setCode({ address: sequencerFeedAddress, bytecode: '0x5f5ffd' })
