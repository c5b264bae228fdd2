/** The item with the least measure, the first one among equals. `undefined` if no measure is below infinity. */
export function leastBy<Item>(
  items: Iterable<Item>,
  measureOf: (item: Item) => number,
): Item | undefined {
  let least: Item | undefined
  let min = Number.POSITIVE_INFINITY
  for (const item of items) {
    const measure = measureOf(item)
    if (measure >= min) continue
    least = item
    min = measure
  }
  return least
}
