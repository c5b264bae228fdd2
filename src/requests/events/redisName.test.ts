import { expect, it } from 'vitest'
import { redisName } from './redisName.ts'

it('separates the keys of two databases on one Redis', () => {
  const at = (path: string) => `postgres://user:secret@host:5432${path}`
  const names = [undefined, at('/one'), at('/two?sslmode=require')].flatMap((url) => [
    redisName('wakeups', url),
    redisName('rate', url),
  ])
  expect(names).toEqual([
    'crossquote:wakeups',
    'crossquote:rate',
    'crossquote:wakeups:one',
    'crossquote:rate:one',
    'crossquote:wakeups:two',
    'crossquote:rate:two',
  ])
})
