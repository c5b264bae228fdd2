/**
 * How many blocks follow a block on a test's chain once it is final. Anvil's own 64 would only take time, as each of
 * them is mined and followed.
 */
export const finalityBlocks = 8

/**
 * A devnet's pace in tests: on demand, so that its blocks at intervals only take time. Fewer of them would hold up what
 * waits for chain time.
 */
export const testPace = { minesOnDemand: true, blockMilliseconds: 3000, finalityBlocks }

/** For tests with reorgs on chains that go on mining: what they undo must not become final, however slow the machine. */
export const usualFinalityBlocks = 64
