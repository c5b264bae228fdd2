import type { Flow, Items, Sink } from '#src/requests/events/items.ts'

/** Lets the items of a source flow. A source that can only be pulled is read one by one, as the sink has room. */
export function flowOf<Item>(source: AsyncIterator<Item> | Items<Item>): Flow<Item> {
  if ('flow' in source) return source.flow
  const pull = async ({ take, end }: Sink<Item>): Promise<void> => {
    try {
      for (;;) {
        const { done, value } = await source.next()
        if (done === true) return end()
        if (!take(value)) return
      }
    } catch (error) {
      end({ error })
    }
  }
  return (sink) => {
    void pull(sink)
    return () => void pull(sink)
  }
}
