/**
 * The price of an operation in units of the client's rate limit. One unit is about the work of one price: a quarter of
 * a millisecond of this process. Operations that write to the database or call a node cost more.
 */
export const units = {
  price: 1,
  /** A live price is recomputed with each block. */
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
   * The tracker asks a node for the transaction, and watches it for 15 minutes. It watches at most 10,000, in fair
   * shares per client.
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

/** Points of a document's cost per unit. A price with its usual fields costs about a hundred points. */
const pointsPerUnit = 500

/** Minimum units of an operation, by the points of its answer. Rounded up. */
export const unitsOfPoints = (points: number): number => Math.ceil(points / pointsPerUnit)

/** Bytes of a request that cost one more unit. A quote's calldata is stored. */
const bytesPerUnit = 4_096

/** Units of a request before it is read. */
export const unitsOfArrival = (bytes: number): number => 1 + Math.floor(bytes / bytesPerUnit)
