/**
 * What a client pays for an operation, in units of its rate limit. One unit is about the work of a price: a quarter of a
 * millisecond of this process. What writes to the database or makes the gateway ask a node costs more.
 */
export const units = {
  price: 1,
  /** A live price is computed again with each block. */
  livePrice: 5,
  /** Writes the request to the database. */
  quote: 5,
  /** For each deposit of a multi-input quote. */
  origin: 2,
  /** Asks a node to simulate a transaction. */
  gas: 10,
  /** Asks a node for an account's balance; several are read together. */
  balance: 2,
  /**
   * The tracker asks a node for the transaction, and watches it for 15 minutes: 10,000 in all, of which each client has a
   * fair share.
   */
  hint: 50,
  /** Reads rows of the database. */
  list: 2,
  /** Counts up to 10,000 rows. */
  count: 10,
  /** Asks a node to simulate a payment, and writes it to the database. */
  permit: 20,
  /** Asks a node several times to simulate a call, and writes it to the database. */
  execute: 40,
  introspection: 10,
}

/** Points of a document's cost that are worth one unit: a price with its usual fields costs about a hundred. */
const pointsPerUnit = 500

/** The least that an operation costs, by the number of fields of its answer. */
export const unitsOfPoints = (points: number): number => Math.ceil(points / pointsPerUnit)

/** Bytes of a request that cost one more unit. A quote's calldata is stored. */
const bytesPerUnit = 4_096

/** What a request costs before it is read. */
export const unitsOfArrival = (bytes: number): number => 1 + Math.floor(bytes / bytesPerUnit)
