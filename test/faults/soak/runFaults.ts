import { setTimeout } from 'node:timers/promises'
import type { Fault } from './faults.ts'
import type { Random } from './random.ts'

/** Seconds that a fault lasts, and seconds until the next one. */
const lasts = [2, 10] as const
const pauses = [2, 6] as const

/** Breaks one thing after the other until the time is over; each kind happens once per round. Returns their counts. */
export async function runFaults(
  faults: readonly Fault[],
  random: Random,
  seconds: number,
  print: (line: string) => void,
): Promise<ReadonlyMap<string, number>> {
  const started = performance.now()
  const elapsed = () => (performance.now() - started) / 1000
  const counts = new Map(faults.map(({ kind }) => [kind, 0]))
  while (elapsed() < seconds)
    for (const { kind, begin } of random.shuffle(faults)) {
      if (elapsed() >= seconds) break
      const lasting = random.between(...lasts)
      const { what, heal } = await begin(random.pick)
      print(`${elapsed().toFixed(0)} s: ${kind}, ${what}, for ${lasting.toFixed(1)} s`)
      await setTimeout(lasting * 1000)
      await heal()
      counts.set(kind, (counts.get(kind) ?? 0) + 1)
      await setTimeout(random.between(...pauses) * 1000)
    }
  return counts
}
