import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readDocument } from '#test/support/clients/documents.ts'
import { readInstructions } from '#test/support/processes/imageBuild.ts'

const unit = readFileSync('docs/deployment/crossquote.service', 'utf8')
const composeFiles = ['compose.yaml', 'compose.production.yaml'].map((path) =>
  readFileSync(path, 'utf8'),
)
const instructions = readInstructions(readFileSync('Dockerfile', 'utf8'))

describe('the Dockerfile', () => {
  const textsOf = (name: string) =>
    instructions.filter(([each]) => each === name).map(([, text]) => text)

  it('has the targets that the compose files build', () => {
    const stages = textsOf('FROM').map((text) => text.split(' AS ')[1])
    const targets = composeFiles.join('').matchAll(/target: (\w+)/g)
    for (const [, target] of targets) expect(stages).toContain(target)
    expect(stages).toEqual(expect.arrayContaining(['production', 'devnet']))
  })

  it('runs as a user without rights, and is checked on /ready', () => {
    expect(textsOf('USER')).toEqual(['node'])
    expect(textsOf('HEALTHCHECK').join()).toContain('/ready')
  })

  it('sets only existing variables, as the compose files and the systemd unit do', () => {
    const named = [
      ...textsOf('ENV')
        .join(' ')
        .matchAll(/\b([A-Z_]+)=/g),
      ...(unit.match(/^Environment=.*$/gm) ?? [])
        .join(' ')
        .replaceAll('Environment=', '')
        .matchAll(/\b([A-Z_]+)=/g),
      ...composeFiles.join('').matchAll(/\b([A-Z_]{4,}): /g),
    ].map(([, name = '']) => name.replace(/(?<=URL|PASSWORD)_FILE$/, ''))
    const documented = readDocument('docs/configuration.md')
    const others = ['NODE_ENV', 'POSTGRES_USER', 'POSTGRES_PASSWORD']
    const isKnown = (name: string) =>
      documented.includes(`\`${name}\``) || others.includes(name) || name.startsWith('GF_')
    expect(named.length).toBeGreaterThan(20)
    expect(named.filter((name) => !isKnown(name))).toEqual([])
  })

  it('has all files that compose.production.yaml mounts', () => {
    const mounted = [...composeFiles.join('').matchAll(/(\.\/docs\/[^:]+):\//g)]
    expect(mounted.length).toBeGreaterThan(4)
    for (const [, path = ''] of mounted) expect(existsSync(path)).toBe(true)
  })

  it('starts as npm start does, and so does the systemd unit', () => {
    const { start } = JSON.parse(readFileSync('package.json', 'utf8')).scripts
    expect(textsOf('CMD').map((text) => JSON.parse(text).join(' '))).toEqual([start])
    expect(/^ExecStart=\S*\/(node .*)$/m.exec(unit)?.[1]).toBe(start)
  })

  it('leaves out only packages that are installed', () => {
    const { optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
    const removed = [
      ...textsOf('RUN')
        .join(' ')
        .matchAll(/ optionalDependencies\.(\S+)/g),
    ]
    expect(removed.map(([, name]) => name)).toEqual(['node'])
    // `--omit=optional` leaves these out of the production image.
    expect(Object.keys(optionalDependencies)).toEqual(
      expect.arrayContaining(['node', '@foundry-rs/anvil']),
    )
  })
})

const hasAnalyzer = spawnSync('systemd-analyze', ['--version']).status === 0

it.skipIf(!hasAnalyzer)('the systemd unit has an exposure of at most 4 (systemd-analyze)', () => {
  const args = [
    'security',
    '--offline=true',
    '--threshold=40',
    'docs/deployment/crossquote.service',
  ]
  const { status, stdout } = spawnSync('systemd-analyze', args, { encoding: 'utf8' })
  expect(stdout).toContain('Overall exposure level')
  expect(status).toBe(0)
})
