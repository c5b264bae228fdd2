/**
 * The first position from `start` on whose item fulfils `holds`; the length where none does.
 * `holds` turns from false to true at most once along the items.
 */
export function firstWhere<Item>(
  items: readonly Item[],
  start: number,
  holds: (item: Item) => boolean,
): number {
  let low = start
  let high = items.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(items[middle] as Item)) high = middle
    else low = middle + 1
  }
  return low
}
