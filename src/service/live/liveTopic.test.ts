import { expect, it, vi } from 'vitest'
import { createLiveTopic } from './liveTopic.ts'

const isNews = (last: string, item: string) => last !== item
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

it('gives readers an item in several turns, and a newer one that comes meanwhile to all of them', async () => {
  const topic = createLiveTopic<string>({ onEmpty: () => {} }, isNews)
  const got = Array.from({ length: 250 }, (): string[] => [])
  for (const own of got)
    void (async () => {
      for await (const item of topic.join()) own.push(item)
    })()
  const counts = () => {
    const texts = got.map((own) => own.join(' '))
    return [...new Set(texts)].map((text) => [text, texts.filter((each) => each === text).length])
  }
  topic.publish('a')
  topic.publish('a')
  for (let turns = 0; turns < 3; turns += 1) await turn()
  expect(counts()).toEqual([['a', 250]])
  topic.publish('b')
  await turn()
  topic.publish('c')
  for (let turns = 0; turns < 6; turns += 1) await turn()
  expect(counts()).toEqual([
    ['a b c', 200],
    ['a c', 50],
  ])
})

it('gives a reader that joins the newest item, and reports when the last one has left', async () => {
  const onEmpty = vi.fn()
  const topic = createLiveTopic<string>({ onEmpty }, isNews)
  const early = topic.join()
  topic.publish('a')
  topic.publish('b')
  const late = topic.join()
  expect([(await early.next()).value, (await late.next()).value]).toEqual(['b', 'b'])
  await early.return?.()
  expect(onEmpty).not.toHaveBeenCalled()
  const pending = late.next()
  topic.fail(new Error('over'))
  await expect(pending).rejects.toThrow('over')
  expect(onEmpty).toHaveBeenCalledOnce()
})
