import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

type Fault = Readonly<{ file: string; find: string; tests: readonly string[] }>

it.each(['test/faults.json', 'test/contracts/faults.json', 'test/svm/faults.json'])(
  'every fault of %s quotes the source, and names tests that exist',
  (list) => {
    const faults = JSON.parse(readFileSync(list, 'utf8')) as readonly Fault[]
    for (const { file, find, tests } of faults) {
      const places = readFileSync(file, 'utf8').split(find).length - 1
      expect(places, `places of ${JSON.stringify(find)} in ${file}`).toBe(1)
      for (const test of tests) expect(existsSync(test), test).toBe(true)
    }
  },
)
