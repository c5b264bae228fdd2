import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const folder = 'src/protocol/contracts/solidity'
/** An `eth_call` runs these: nobody calls them on a chain. */
const readers = /Reader|Probe/
const part =
  /((?:^ {4}\/\/\/[^\n]*\n)*)^ {4}(function (\w+)\(([^)]*)\)[^{;]*|event (\w+)\(([^)]*)\))/gm

/** The own contracts of a file, without the interfaces of others. */
const contractsIn = (source: string): string =>
  source.slice(source.search(/^(abstract )?contract /m))

const namesOf = (parameters: string): readonly string[] =>
  parameters.split(',').flatMap((each) => {
    const words = each.trim().split(/\s+/)
    const name = words.at(-1) ?? ''
    return words.length < 2 || ['calldata', 'memory'].includes(name) ? [] : [name]
  })

test('every external function and every event has NatSpec for itself, its parameters and its result', () => {
  const missing = readdirSync(folder)
    .filter((file) => file.endsWith('.sol') && !readers.test(file))
    .flatMap((file) => {
      const source = contractsIn(readFileSync(`${folder}/${file}`, 'utf8'))
      return [...source.matchAll(part)].flatMap(
        ([, doc = '', head = '', name, parameters, event, fields]) => {
          const isPublic = event !== undefined || /\b(external|public)\b/.test(head)
          if (!isPublic) return []
          const wanted = [
            '@notice',
            ...namesOf(parameters ?? fields ?? '').map((each) => `@param ${each} `),
            ...(/\breturns\b/.test(head) ? ['@return'] : []),
          ]
          const title = `${file} ${name ?? event}`
          return wanted.filter((each) => !doc.includes(each)).map((each) => `${title}: ${each}`)
        },
      )
    })
  expect(missing).toEqual([])
})
