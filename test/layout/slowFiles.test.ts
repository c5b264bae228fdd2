import { globSync } from 'node:fs'
import { expect, it } from 'vitest'
import { repeatedFiles, slowFiles } from '#test/support/slowFiles.ts'

it('every slow test that is listed exists', () => {
  const [suffix, ...listed] = slowFiles
  expect(suffix).toBe('**/*.slow.test.ts')
  expect([...listed, ...repeatedFiles].filter((glob) => globSync(glob).length === 0)).toEqual([])
})
