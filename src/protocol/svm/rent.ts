/** @source solana-rent: the storage overhead of an account, and lamports for two years of a byte */
const overheadBytes = 128n
const lamportsPerByte = 6_960n

/** The lamports that keep an account of `bytes` alive. */
export const rentOf = (bytes: bigint): bigint => (overheadBytes + bytes) * lamportsPerByte

/** The least that an account without data may hold. */
export const minBalance = rentOf(0n)

/** The bytes of a deposit's record. @source src/protocol/svm/program/depository.h, Record */
export const recordBytes = 64n
