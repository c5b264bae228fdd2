import type { ReplicaChanges, SentPoolChange, SentReplicaChanges } from './replicaChanges.ts'

/** Approximate length of one snapshot part in characters of JSON. A reader parses it in a few milliseconds. */
const maxPartLength = 200_000

const lists = [
  'pools',
  'removedPools',
  'usdPrices',
  'removedPrices',
  'refusedCurrencies',
  'acceptedCurrencies',
  'currencies',
] as const satisfies readonly (keyof SentReplicaChanges)[]

type List = (typeof lists)[number]

/** Divides changes into one or more parts of bounded size. Each part contains the head. */
export function divideChanges(
  changes: SentReplicaChanges,
  maxLength = maxPartLength,
): readonly SentReplicaChanges[] {
  const empty = Object.fromEntries(lists.map((list) => [list, []])) as unknown as Record<
    List,
    unknown[]
  >
  const open = () => ({ ...structuredClone(empty), length: 0 })
  let current = open()
  const parts = [current]
  for (const list of lists)
    for (const item of changes[list]) {
      const length = lengthOf(item)
      if (current.length > 0 && current.length + length > maxLength) {
        current = open()
        parts.push(current)
      }
      current[list].push(item)
      current.length += length
    }
  return parts.map(
    ({ length: _, ...part }) => ({ head: changes.head, ...part }) as SentReplicaChanges,
  )
}

/** Approximate length in characters. Ticks dominate the length of a pool. */
const lengthOf = (item: unknown): number =>
  250 + 100 * (((item as SentPoolChange)?.['ticks'] as readonly unknown[] | undefined)?.length ?? 0)

/** Reverses `divideChanges`. Undefined without parts. */
export function joinParts(parts: readonly ReplicaChanges[]): ReplicaChanges | undefined {
  const [first] = parts
  if (first === undefined) return undefined
  const joined = Object.fromEntries(
    lists.map((list) => [list, parts.flatMap((part): readonly unknown[] => part[list])]),
  )
  return { head: first.head, ...joined } as ReplicaChanges
}
