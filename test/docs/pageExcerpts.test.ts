import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { readDocument } from '#test/support/clients/documents.ts'

const unspaced = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

it('docs/frontends.md quotes the code of the page without changes', () => {
  const sources = globSync('src/page/**/*.js').map((file) => unspaced(readFileSync(file, 'utf8')))
  const [, section = ''] =
    /^## The page at `\/`\n([\s\S]*?)^## /m.exec(readDocument('docs/frontends.md')) ?? []
  const excerpts = [...section.matchAll(/^```js\n([\s\S]*?)^```/gm)].map(([, text = '']) =>
    unspaced(text),
  )
  expect(excerpts.length).toBeGreaterThan(3)
  expect(excerpts.filter((text) => !sources.some((source) => source.includes(text)))).toEqual([])
})
