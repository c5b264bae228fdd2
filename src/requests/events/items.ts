/** Takes items in the turn in which they come. Neither function throws. */
export type Sink<Item> = Readonly<{
  /** Returns whether there is room for another item. After `false` all that follows waits for `resume`. */
  take: (item: Item) => boolean
  /** Nothing follows: it ended, or failed. */
  end: (why?: Readonly<{ error: unknown }>) => void
}>

/**
 * Lets the items of one reader flow into a sink, those that wait already at once. Returns `resume`, for a sink that has room
 * again.
 */
export type Flow<Item> = (sink: Sink<Item>) => () => void

/** Items for one reader, which pulls each of them, or lets all of them flow. A reader that stops early calls `return`. */
export type Items<Item> = AsyncIterableIterator<Item, undefined> & Readonly<{ flow: Flow<Item> }>
