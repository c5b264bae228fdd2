import fc from 'fast-check'
import { expect, it } from 'vitest'
import { runs } from '#test/support/runs.ts'
import { partialStore } from '#test/support/store/partialStore.ts'
import { createStoreModel, idOf } from '#test/support/store/storeModel.ts'
import { createLocalBus } from './bus.ts'
import { createHub, type Hub } from './hub.ts'
import type { WatchedChange } from './topic.ts'

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const patient = { sweepSeconds: 3600, maxQueued: 64 }

type Command =
  | { type: 'change'; request: number; wakes: 'never' | 'once' | 'twice' }
  | { type: 'watch'; request: number; after: number | undefined }
  | { type: 'read'; subscriber: number }
  | { type: 'leave'; subscriber: number }
  | { type: 'missed' }

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('change'),
      request: fc.nat(1),
      wakes: fc.constantFrom('never', 'once', 'once', 'twice'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('watch'),
      request: fc.nat(1),
      after: fc.option(fc.nat(6), { nil: undefined }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('read'), subscriber: fc.nat(7) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('leave'), subscriber: fc.nat(7) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('missed') }) },
)

type Watching = {
  items: AsyncIterableIterator<WatchedChange>
  request: number
  after: number | undefined
  /** The request's `seq` when the subscription started. */
  began: number
  seqs: number[]
  ended: 'done' | 'left' | 'refused' | undefined
}

/** Reads one change and records how the subscription continues. */
async function readOne(watching: Watching): Promise<void> {
  try {
    const { value, done } = await watching.items.next()
    if (done) watching.ended ??= 'done'
    else watching.seqs.push(value.state.seq)
  } catch (error) {
    expect(error).toMatchObject({ code: 'INVALID_REQUEST' })
    watching.ended ??= 'refused'
  }
}

it('yields every change to every subscriber once and in order, in any interleaving', () =>
  fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(command, { minLength: 5, maxLength: 60, size: 'max' }),
      fc.tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 6 })),
      fc.constantFrom(1, 2, 250),
      async (scheduler, commands, lengths, batchSize) => {
        const model = createStoreModel()
        const bus = createLocalBus()
        const delayed = <Argument extends unknown[], Result>(
          read: (...args: Argument) => Promise<Result>,
        ) => {
          const ask = scheduler.scheduleFunction(read)
          // The store reads at one moment and answers at a later one.
          return async (...args: Argument): Promise<Result> =>
            scheduler.schedule(Promise.resolve(await ask(...args)))
        }
        const hub: Hub = createHub(
          {
            log: silent,
            store: partialStore({
              find: delayed(model.find),
              changesAfter: delayed(model.changesAfter),
              seqsOf: delayed(model.seqsOf),
            }),
            bus,
          },
          { ...patient, batchSize },
        )
        const seqs = [0, 0]
        model.put(idOf(0))
        model.put(idOf(1))
        const watching: Watching[] = []
        const reading: Promise<void>[] = []
        const run = async (next: Command): Promise<void> => {
          switch (next.type) {
            case 'change': {
              const { request, wakes } = next
              const last = lengths[request] ?? 0
              const seq = (seqs[request] ?? 0) + 1
              if (seq > last) return
              seqs[request] = seq
              const change = model.change(idOf(request), seq === last ? 'success' : 'pending')
              const times = { never: 0, once: 1, twice: 2 }[wakes]
              for (let sent = 0; sent < times; sent += 1)
                void scheduler
                  .schedule(Promise.resolve())
                  .then(() => bus.publish([{ kind: 'change', change }]))
              return
            }
            case 'watch': {
              const { request, after } = next
              const items = hub.watch(idOf(request), after)
              const began = seqs[request] ?? 0
              watching.push({ items, request, after, began, seqs: [], ended: undefined })
              return
            }
            case 'read': {
              const reader = watching[next.subscriber]
              if (reader !== undefined) reading.push(readOne(reader))
              return
            }
            case 'leave': {
              const leaver = watching[next.subscriber]
              if (leaver === undefined) return
              leaver.ended = 'left'
              await leaver.items.return?.()
              return
            }
            case 'missed':
              bus.publish([{ kind: 'missed' }])
          }
        }
        const { task } = scheduler.scheduleSequence(
          commands.map((next) => ({ label: next.type, builder: () => run(next) })),
        )
        await scheduler.waitFor(task)
        // The sweep finds changes without a wake-up. Then all subscribers read to the end.
        for (const request of [0, 1])
          while ((seqs[request] ?? 0) < (lengths[request] ?? 0))
            await run({ type: 'change', request, wakes: 'never' })
        bus.publish([{ kind: 'missed' }])
        const all = watching.map(async (reader) => {
          while (reader.ended === undefined) await readOne(reader)
        })
        await scheduler.waitFor(Promise.all([...reading, ...all]))
        for (const { seqs: got, ended, after, began, request } of watching) {
          const last = lengths[request] ?? 0
          const [first = last + 1] = got
          expect(got).toEqual(got.map((_, at) => first + at))
          if (after !== undefined && got.length > 0) expect(first).toBe(after + 1)
          if (after === undefined && got.length > 0) expect(first).toBeGreaterThanOrEqual(began)
          // Only an `after` ahead of the last change is refused.
          if (ended === 'refused') {
            expect(after).toBeGreaterThan(began)
            expect(got).toEqual([])
          }
          if (ended === 'done') {
            if (after === undefined) expect(got.length).toBeGreaterThan(0)
            if (after === undefined || after < last) expect(got.at(-1)).toBe(last)
            else expect(got).toEqual([])
          }
        }
        expect(hub.subscribers()).toBe(0)
        hub.close()
      },
    ),
    { numRuns: runs(300) },
  ))
