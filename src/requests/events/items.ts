/** Receives items synchronously. Neither function throws. */
export type Sink<Item> = Readonly<{
  /** Returns whether there is room for another item. After `false`, later items wait for `resume`. */
  take: (item: Item) => boolean
  /** The end of the items, or their failure. */
  end: (why?: Readonly<{ error: unknown }>) => void
}>

/**
 * Pushes the items of one reader into a sink, starting with the waiting items. Returns `resume`, to call when the sink
 * has room again.
 */
export type Flow<Item> = (sink: Sink<Item>) => () => void

/**
 * Items for one reader, which either pulls them or has them pushed by `flow`. A reader that stops early calls `return`.
 */
export type Items<Item> = AsyncIterableIterator<Item, undefined> & Readonly<{ flow: Flow<Item> }>
