import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseConfig } from '#src/config.ts'
import { mostOrigins } from '#src/operations/input/multiInput.ts'
import { type Stack, startStack } from '#test/support/gateways/stack.ts'

const readme = readFileSync('README.md', 'utf8')

/** The README's first block of a language. */
function firstBlock(language: string): string {
  const block = new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(readme)?.[1]
  if (block === undefined) throw new Error(`The README has no ${language} block`)
  return block
}

/** The keys of a JSON value, and what its leaves are. */
const shapeOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shapeOf(member)]))
    : typeof value

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
})
afterAll(async () => {
  await stack.stop()
})

describe('README', () => {
  it('shows a first query that works, with an answer of that shape', async () => {
    const answer = await stack.query(firstBlock('graphql'))
    const shown: unknown = JSON.parse(firstBlock('json'))
    expect(answer.errors).toBeUndefined()
    expect(shapeOf(answer)).toEqual(shapeOf(shown))
  })

  it('shows quotes that work', async () => {
    const queries = [...readme.matchAll(/```graphql\n(query.*?)```/gs)].map(
      ([, query = '']) => query,
    )
    expect(queries.length).toBeGreaterThan(1)
    for (const query of queries) expect((await stack.query(query)).errors).toBeUndefined()
  })

  it('shows calls by curl that work', async () => {
    const calls = [
      ...readme.matchAll(/localhost:4000\/graphql [^']*'[^']*' \\?\n? *-d '(\{.*?\})'/gs),
    ]
    expect(calls.length).toBeGreaterThan(3)
    for (const [, body = ''] of calls) {
      const { query, variables } = JSON.parse(body)
      expect((await stack.query(query, variables)).errors).toBeUndefined()
    }
  })

  it('says how many deposits a multi-input quote takes', () => {
    expect(readme).toContain(`up to ${mostOrigins} deposits`)
    expect(readme).toContain(`1 to ${mostOrigins} of them`)
  })

  it('shows a configuration that is valid', () => {
    const block = readme.slice(readme.indexOf('## Real chains')).split('```json\n')[1]
    const config = parseConfig(JSON.parse(block?.split('```')[0] ?? ''), 'README')
    expect(config.chains[0]?.finalityDepth).toBe(64)
  })

  it('lists every key of the configuration and every variable', () => {
    const keys = readFileSync('src/config.ts', 'utf8').matchAll(
      /^ {2,4}(\w+): (?:z|\w+\.default|chainId|address)/gm,
    )
    const variables = readFileSync('src/environment.ts', 'utf8').matchAll(/^ {2,4}([A-Z_]+): z/gm)
    const names = [...keys, ...variables].map(([, name = '']) => name)
    expect(names.length).toBeGreaterThan(25)
    expect(names.filter((name) => !readme.includes(name))).toEqual([])
  })
})
