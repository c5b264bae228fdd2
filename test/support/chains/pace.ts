/**
 * Number of blocks after which a block is final on a test's chain. Anvil's default of 64 would be slow: each block must
 * be mined and followed.
 */
export const finalityBlocks = 8

/**
 * The block times of a devnet in tests. It mines on demand, so blocks at intervals only cost CPU time. A longer
 * interval would delay tests that wait for chain time.
 */
export const testPace = { minesOnDemand: true, blockMilliseconds: 3000, finalityBlocks }

/** For tests with reorgs on chains that keep mining: the replaced blocks must not become final on a slow machine. */
export const defaultFinalityBlocks = 64
