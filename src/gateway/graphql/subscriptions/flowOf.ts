import type { Flow, Items, Sink } from '#src/requests/events/items.ts'

/** The flow of a source. A source that can only be pulled is read item by item while the sink has room. */
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
