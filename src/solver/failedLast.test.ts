import { expect, it } from 'vitest'
import { createFailedLast } from './failedLast.ts'

it('gives every item its turn, however many others always fail', async () => {
  const inTurn = createFailedLast<string>((name) => name)
  const items = ['bad 1', 'bad 2', 'good 1', 'bad 3', 'good 2']
  const done = new Set<string>()
  const run = async (name: string): Promise<void> => {
    if (name.startsWith('bad')) throw new Error(name)
    done.add(name)
  }
  for (let round = 0; round < 4; round += 1) await expect(inTurn(items, run)).rejects.toThrow('bad')
  expect([...done]).toEqual(['good 1', 'good 2'])
  // Once all are done, nobody has failed.
  const order: string[] = []
  for (let round = 0; round < 2; round += 1) {
    order.length = 0
    await inTurn(items, async (name) => void order.push(name))
  }
  expect(order).toEqual(items)
})
