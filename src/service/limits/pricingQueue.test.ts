import { describe, expect, it } from 'vitest'
import { pausing } from '#src/core/steps.ts'
import { OverloadedError } from './overloadedError.ts'
import { createPricingQueue } from './pricingQueue.ts'
import { createTimeAccounts } from './timeAccounts.ts'

/** A queue whose orders take a known number of steps of a millisecond each. */
function createRig() {
  let time = 0
  let ends: (() => void)[] = []
  const steps: string[] = []
  const settled: string[] = []
  const queue = createPricingQueue({
    now: () => time,
    atEndOfTurn: (callback) => void ends.push(callback),
    accounts: createTimeAccounts(() => time),
  })
  const order = (name: string, milliseconds: number) => () =>
    pausing(function* () {
      for (let step = 0; step < milliseconds; step += 1) {
        time += 1
        steps.push(name)
        yield
      }
      return name
    })
  const settle = (price: Promise<string>) =>
    price.then(
      (name) => void settled.push(name),
      (error: unknown) =>
        void settled.push(error instanceof OverloadedError ? 'refused' : 'failed'),
    )
  const run = (client: string, name: string, milliseconds: number) =>
    settle(queue.run(client, order(name, milliseconds)))
  /** The client always has an order more, of six milliseconds. */
  const keepBusy = (name: string): void => void run(name, name, 6).then(() => keepBusy(name))
  return {
    queue,
    steps,
    settled,
    run,
    keepBusy,
    runInBackground: (client: string, name: string, milliseconds: number) =>
      settle(queue.runInBackground(client, order(name, milliseconds))),
    /** Ends the turn of the event loop. Returns whether another one is awaited. */
    endTurn: async () => {
      const ended = ends
      ends = []
      for (const end of ended) end()
      await Promise.resolve()
      return ends.length > 0
    },
    wait: (milliseconds: number) => {
      time += milliseconds
    },
  }
}

describe('the pricing queue', () => {
  it('prices an order that takes little time in the turn of its arrival', async () => {
    const { run, endTurn, steps, settled } = createRig()
    void run('a', 'short', 2)
    expect(await endTurn()).toBe(false)
    expect({ steps, settled }).toEqual({ steps: ['short', 'short'], settled: ['short'] })
  })

  it('takes three milliseconds of any turn, however many orders come', async () => {
    const { run, endTurn, steps } = createRig()
    const all = Array.from({ length: 30 }, (_, at) => run(`client ${at}`, `order ${at}`, 3))
    let before = 0
    let turns = 0
    for (let more = true; more; turns += 1) {
      more = await endTurn()
      expect(steps.length - before).toBeLessThanOrEqual(3)
      before = steps.length
    }
    await Promise.all(all)
    expect({ steps: steps.length, turns }).toEqual({ steps: 90, turns: 31 })
  })

  it('lets a short order pass long ones, of others and of the same client', async () => {
    const { run, endTurn, settled } = createRig()
    for (const name of ['long 1', 'long 2', 'long 3']) void run(name, name, 100)
    for (let turn = 0; turn < 30; turn += 1) await endTurn()
    void run('honest', 'medium', 20)
    void run('long 1', 'short', 2)
    while (await endTurn());
    expect(settled.slice(0, 2)).toEqual(['medium', 'short'])
    expect(settled).toHaveLength(5)
  })

  it('prices orders as they come, of clients that have taken about the same time', async () => {
    const { run, endTurn, settled } = createRig()
    void run('first', 'medium', 24)
    for (let turn = 0; turn < 8; turn += 1) {
      void run(`client ${turn}`, 'short', 3)
      await endTurn()
    }
    while (await endTurn());
    expect(settled[0]).toBe('medium')
  })

  it('lets no order wait forever, however many short ones come', async () => {
    const { run, endTurn, settled } = createRig()
    void run('long', 'long', 60)
    for (let turn = 0; turn < 150; turn += 1) {
      void run(`client ${turn}`, 'short', 3)
      await endTurn()
    }
    expect(settled).toContain('long')
  })

  it('lets a client with many short orders delay mostly itself', async () => {
    const { run, endTurn, settled } = createRig()
    for (let at = 0; at < 100; at += 1) void run('many', `many ${at}`, 3)
    for (let turn = 0; turn < 20; turn += 1) await endTurn()
    const before = settled.length
    void run('one', 'long', 40)
    while (!settled.includes('long')) await endTurn()
    expect(settled.length - before).toBeLessThan(6)
    while (await endTurn());
    expect(settled).toHaveLength(101)
  })

  it('refuses the newest order of the client that has the most, if too many wait', async () => {
    const { run, endTurn, settled } = createRig()
    for (let at = 0; at < 1_950; at += 1) void run('many', `many ${at}`, 2)
    for (let at = 0; at < 50; at += 1) void run(`client ${at}`, `order ${at}`, 2)
    expect(settled).toEqual([])
    void run('more', 'more', 2)
    void run('many', 'too many', 2)
    while (await endTurn());
    expect(settled).toHaveLength(2_002)
    expect(settled.filter((name) => name === 'refused')).toHaveLength(2)
    expect(settled).toContain('more')
    expect(settled).not.toContain('too many')
  })

  it('refuses the order that has taken the most time, if too many are paused', async () => {
    const { run, endTurn, settled } = createRig()
    void run('first', 'longest', 1_000)
    for (let turn = 0; turn < 10; turn += 1) await endTurn()
    for (let at = 0; at < 64; at += 1) void run(`client ${at}`, `order ${at}`, 40)
    while (await endTurn());
    expect(settled.filter((name) => name === 'refused')).toHaveLength(1)
    expect(settled).not.toContain('longest')
    expect(settled).toHaveLength(65)
  })

  it('gives a client that is never without orders its share', async () => {
    const { endTurn, steps, keepBusy } = createRig()
    for (let at = 0; at < 9; at += 1) keepBusy('partner')
    for (let turn = 0; turn < 400; turn += 1) await endTurn()
    for (let at = 0; at < 9; at += 1) keepBusy('newcomer')
    const before = steps.length
    for (let turn = 0; turn < 400; turn += 1) await endTurn()
    const ofPartner = steps.slice(before).filter((name) => name === 'partner').length
    expect(ofPartner / (steps.length - before)).toBeGreaterThan(0.4)
  })

  it('lets clients that ask without a pause wait longer than one that asks now and then', async () => {
    const { run, endTurn, settled, keepBusy } = createRig()
    for (let at = 0; at < 16; at += 1) keepBusy(`busy ${at}`)
    for (let turn = 0; turn < 400; turn += 1) await endTurn()
    let waited = 0
    for (let order = 0; order < 20; order += 1) {
      const name = `order ${order}`
      void run('patient', name, 6)
      for (; !settled.includes(name); waited += 1) await endTurn()
      for (let turn = 0; turn < 30; turn += 1) await endTurn()
    }
    expect(waited / 20).toBeLessThan(4)
  })

  it('lets a client that asks now and then have several orders at once', async () => {
    const { run, endTurn, settled, keepBusy } = createRig()
    for (let at = 0; at < 16; at += 1) keepBusy(`busy ${at}`)
    void run('patient', 'first', 6)
    for (let turn = 0; turn < 2_000; turn += 1) await endTurn()
    for (let at = 0; at < 8; at += 1) void run('patient', `burst ${at}`, 30)
    for (let turn = 0; turn < 100; turn += 1) await endTurn()
    expect(settled.filter((name) => name.startsWith('burst'))).toHaveLength(8)
  })

  it('gives new clients less advantage than one that asks now and then', async () => {
    const { run, endTurn, settled, keepBusy } = createRig()
    for (let at = 0; at < 4; at += 1) keepBusy(`busy ${at}`)
    void run('patient', 'first', 6)
    for (let turn = 0; turn < 1_000; turn += 1) await endTurn()
    for (let at = 0; at < 16; at += 1) void run(`new ${at}`, 'new', 100)
    void run('patient', 'next', 30)
    for (let turn = 0; turn < 13; turn += 1) await endTurn()
    expect(settled).toContain('next')
  })

  it('forgets in idle time what a client took', async () => {
    const { run, endTurn, settled, wait } = createRig()
    void run('busy', 'much', 3_000)
    for (let turn = 0; turn < 100; turn += 1) {
      void run(`client ${turn}`, 'little', 1)
      await endTurn()
    }
    while (await endTurn());
    wait(3_000)
    void run('other', 'first', 60)
    void run('busy', 'second', 2)
    while (await endTurn());
    expect(settled.slice(-2)).toEqual(['second', 'first'])
  })

  it('tells how long an order would wait: less for a client without orders', async () => {
    const { queue, run, endTurn, wait } = createRig()
    expect(queue.waitMs('many')).toBe(0)
    for (let at = 0; at < 20; at += 1) void run('many', `many ${at}`, 3)
    for (let turn = 0; turn < 4; turn += 1) await endTurn()
    expect([queue.waitMs('many'), queue.waitMs('one')]).toEqual([12, 12])
    for (let turn = 0; turn < 8; turn += 1) await endTurn()
    expect([queue.waitMs('many'), queue.waitMs('one')]).toEqual([36, 0])
    void run('one', 'one', 3)
    await endTurn()
    expect([queue.waitMs('many'), queue.waitMs('one')]).toEqual([39, 0])
    wait(100)
    void run('one', 'after a long turn', 3)
    wait(100)
    expect([queue.waitMs('many'), queue.waitMs('one')]).toEqual([239, 0])
  })

  it('refuses an order that has waited for ten seconds', async () => {
    const { run, endTurn, settled, wait } = createRig()
    void run('a', 'long', 50)
    wait(10_001)
    await endTurn()
    expect([settled, await endTurn()]).toEqual([['refused'], false])
  })

  it('works in the background while no order comes, and for a sixth of the time while orders do', async () => {
    const { run, runInBackground, endTurn, steps } = createRig()
    void runInBackground('a', 'background', 1_000)
    for (let turn = 0; turn < 10; turn += 1) await endTurn()
    expect(steps.length).toBe(30)
    for (let turn = 0; turn < 100; turn += 1) {
      void run('a', 'order', 3)
      await endTurn()
    }
    const background = steps.slice(30).filter((name) => name === 'background').length
    expect(background / (steps.length - 30)).toBeCloseTo(1 / 6, 1)
  })

  it('owes the background nothing for the time when it had no work', async () => {
    const { run, runInBackground, endTurn, steps } = createRig()
    const load = async (turns: number): Promise<void> => {
      for (let turn = 0; turn < turns; turn += 1) {
        void run('a', 'order', 3)
        await endTurn()
      }
    }
    await load(1_000)
    void runInBackground('a', 'background', 1_000)
    steps.length = 0
    await load(100)
    const background = steps.filter((name) => name === 'background').length
    expect(background / steps.length).toBeCloseTo(1 / 6, 1)
  })

  it('serves clients that have taken little of the background first', async () => {
    const { queue, runInBackground, endTurn, settled } = createRig()
    /** The client always has another live price of sixty milliseconds. */
    const keepBusy = (name: string): void =>
      void runInBackground(name, name, 60).then(() => keepBusy(name))
    for (let at = 0; at < 3; at += 1) keepBusy(`busy ${at}`)
    for (let turn = 0; turn < 200; turn += 1) await endTurn()
    for (let block = 0; block < 10; block += 1) {
      settled.length = 0
      void runInBackground('quick', 'quick', 3)
      for (let turn = 0; turn < 2; turn += 1) await endTurn()
      expect(settled).toContain('quick')
      for (let turn = 0; turn < 20; turn += 1) await endTurn()
    }
    expect(queue.tookInBackground('quick')).toBeLessThan(queue.tookInBackground('busy 0'))
  })

  it('does several short jobs of the background in one turn', async () => {
    const { runInBackground, endTurn, settled } = createRig()
    for (let at = 0; at < 30; at += 1) void runInBackground('many', 'one of many', 1)
    void runInBackground('few', 'one of few', 1)
    await endTurn()
    expect(settled).toEqual(['one of many', 'one of few'])
    for (let turn = 0; turn < 15; turn += 1) await endTurn()
    expect(settled).toHaveLength(31)
  })

  it('pauses a limited number of live prices: beyond it none begins', async () => {
    const { runInBackground, endTurn, steps } = createRig()
    for (let at = 0; at < 40; at += 1) void runInBackground(`client ${at}`, `price ${at}`, 30)
    for (let turn = 0; turn < 100; turn += 1) await endTurn()
    expect(new Set(steps).size).toBeLessThan(30)
    while (await endTurn());
    expect(steps.length).toBe(1_200)
  })
})
