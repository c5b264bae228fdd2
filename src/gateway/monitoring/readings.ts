import { Counter, Gauge, type Registry } from 'prom-client'

/** Metrics by name: a help text, and the value of an item. An item without a value is left out. */
export type Readings<Item> = Readonly<
  Record<string, readonly [help: string, read: (item: Item) => number | undefined]>
>

type Labelled<Label extends string, Item> = readonly [
  labels: Readonly<Record<Label, string>>,
  item: Item,
]

/**
 * Adds metrics that read `items`, with their labels, at each scrape. A name that ends in `_total` is a counter, and any
 * other name a gauge, as Prometheus demands.
 */
export function addReadings<Label extends string, Item>(
  registry: Registry,
  labelNames: readonly Label[],
  items: () => Iterable<Labelled<Label, Item>>,
  readings: Readings<Item>,
): void {
  for (const [name, [help, read]] of Object.entries(readings)) {
    const collectInto = (
      metric: Readonly<{ reset: () => void }>,
      add: (labels: Readonly<Record<Label, string>>, value: number) => void,
    ): void => {
      metric.reset()
      for (const [labels, item] of items()) {
        const value = read(item)
        if (value !== undefined) add(labels, value)
      }
    }
    const options = { name, help, labelNames, registers: [registry] }
    if (name.endsWith('_total'))
      new Counter({
        ...options,
        collect() {
          collectInto(this, (labels, value) => this.inc(labels, value))
        },
      })
    else
      new Gauge({
        ...options,
        collect() {
          collectInto(this, (labels, value) => this.set(labels, value))
        },
      })
  }
}
