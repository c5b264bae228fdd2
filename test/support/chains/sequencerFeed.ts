import { numberToHex } from 'viem'
import type { AnvilClient } from '#src/devnet/chain/anvilClient.ts'
import { toAddress } from '#src/units/address.ts'

/** Where tests put the uptime feed of a sequencer. */
export const sequencerFeedAddress = toAddress(`0x${'5e9'.padStart(40, '0')}`)

/** Answers any call with the round (1, slot 0, slot 1, slot 1, 1): the answer and the time since when it holds. */
const feedCode = '0x60015f525f54602052600154604052600154606052600160805260a05ff3'

/** Sets what the feed answers: 0 is up, 1 is down. The next block shows it. */
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

/** The feed reverts. */
export const breakSequencerFeed = (anvil: AnvilClient): Promise<void> =>
  anvil.setCode({ address: sequencerFeedAddress, bytecode: '0x5f5ffd' })
