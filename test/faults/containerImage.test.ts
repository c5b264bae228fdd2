import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { codeBlocks, readDocument } from '#test/support/clients/documents.ts'
import { readInstructions } from '#test/support/processes/imageBuild.ts'

const instructions = readInstructions(readFileSync('Dockerfile', 'utf8'))

describe('the Dockerfile', () => {
  const textsOf = (name: string) =>
    instructions.filter(([each]) => each === name).map(([, text]) => text)

  it('has the targets that compose.yaml builds', () => {
    const stages = textsOf('FROM').map((text) => text.split(' AS ')[1])
    const targets = readFileSync('compose.yaml', 'utf8').matchAll(/target: (\w+)/g)
    for (const [, target] of targets) expect(stages).toContain(target)
    expect(stages).toEqual(expect.arrayContaining(['production', 'devnet']))
  })

  it('runs as a user without rights, and is checked on /ready', () => {
    expect(textsOf('USER')).toEqual(['node'])
    expect(textsOf('HEALTHCHECK').join()).toContain('/ready')
  })

  it('sets only existing variables, as compose.yaml and the systemd unit do', () => {
    const [unit = ''] = codeBlocks('ini', ['docs/operations.md']).map(({ text }) => text)
    const compose = readFileSync('compose.yaml', 'utf8')
    const named = [
      ...textsOf('ENV')
        .join(' ')
        .matchAll(/\b([A-Z_]+)=/g),
      ...unit.replace(/^\w+=\//gm, '').matchAll(/\b([A-Z_]{4,})=/g),
      ...compose.matchAll(/\b([A-Z_]{4,}): /g),
    ].map(([, name = '']) => name)
    const documented = readDocument('docs/configuration.md')
    const others = ['NODE_ENV', 'POSTGRES_PASSWORD']
    expect(named.length).toBeGreaterThan(10)
    expect(
      named.filter((name) => !(documented.includes(`\`${name}\``) || others.includes(name))),
    ).toEqual([])
  })

  it('starts as npm start does, and so does the systemd unit', () => {
    const { start } = JSON.parse(readFileSync('package.json', 'utf8')).scripts
    const [unit = ''] = codeBlocks('ini', ['docs/operations.md']).map(({ text }) => text)
    expect(textsOf('CMD').map((text) => JSON.parse(text).join(' '))).toEqual([start])
    expect(/^ExecStart=\S*\/(node .*)$/m.exec(unit)?.[1]).toBe(start)
  })

  it('leaves out only packages that are installed', () => {
    const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
    const removed = [
      ...textsOf('RUN')
        .join(' ')
        .matchAll(/ dependencies\.(\S+)/g),
    ]
    expect(removed.length).toBeGreaterThan(4)
    for (const [, name = ''] of removed) expect(Object.keys(dependencies)).toContain(name)
  })
})
