import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { bundleModules } from './moduleBundle.ts'

function run(files: Readonly<Record<string, string>>) {
  const reads: string[] = []
  const bundle = bundleModules('main', {
    read: (file) => {
      reads.push(file)
      return files[file] ?? ''
    },
    resolve: (specifier) => specifier,
  })
  return { exports: { ...runInNewContext(`'use strict';${bundle}module0`) }, reads }
}

it('links modules of any form, each once', () => {
  const { exports, reads } = run({
    main: `/** @import { No } from 'nothing' */
import { one, two as second } from 'plain'
import {
  three,
} from "minified"
import named from 'minified'
const hidden = named(second)
export const total = one + hidden
export async function later() { return three }
export class Box {}`,
    plain:
      "import { three } from 'minified'\nexport const one = 1\nexport function two() { return three }",
    minified:
      'import{one as o}from"base";var t=o+2,n=1;export{t as three};function g(){return n}export default function(f){return f()+g()}\n//# sourceMappingURL=x.map',
    base: 'const one = 1;\nexport { one };\nexport{one as again}from"deeper";',
    deeper: 'export const one = 5',
  })
  expect(reads.toSorted()).toEqual(['base', 'deeper', 'main', 'minified', 'plain'])
  expect(exports).toEqual({
    total: 5,
    later: expect.any(Function),
    Box: expect.any(Function),
  })
})
