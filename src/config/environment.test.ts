import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { readEnvironment } from './environment.ts'

it('runs every role by default, and only the named roles if ROLES is set', () => {
  expect([...readEnvironment({}).ROLES]).toEqual(['gateway', 'tracker', 'solver'])
  const shared = { DATABASE_URL: 'postgres://localhost/x' }
  expect([...readEnvironment({ ...shared, ROLES: 'solver, tracker' }).ROLES]).toEqual([
    'solver',
    'tracker',
  ])
})

it('names every wrong variable at once', () => {
  const read = () =>
    readEnvironment({
      PORT: '70000',
      ROLES: 'gateway,cook',
      REDIS_URL: 'http://localhost',
      SOLVER_PRIVATE_KEY: '0x12',
      LOG_LEVEL: 'loud',
    })
  expect(read).toThrowErrorMatchingInlineSnapshot(`
    [Error: The environment is not valid:
      PORT: A number, 0 to 65535
      REDIS_URL: Invalid URL
      ROLES: each must be one of gateway, tracker, solver, feed
      SOLVER_PRIVATE_KEY: must be 0x and 64 hexadecimal digits
      LOG_LEVEL: Invalid option: expected one of "debug"|"info"|"warn"|"error"|"silent"]
  `)
})

it('refuses some of the roles without a shared database, and several sources of one key', () => {
  const read = () =>
    readEnvironment({
      ROLES: 'gateway',
      SOLVER_PRIVATE_KEY: `0x${'12'.repeat(32)}`,
      SOLVER_KEYSTORE: 'key.json',
      ALLOCATOR_KEYSTORE_PASSWORD: 'secret',
      ALLOCATOR_SIGNER_URL: 'http://localhost:9000',
    })
  expect(read).toThrowErrorMatchingInlineSnapshot(`
    [Error: The environment is not valid:
      DATABASE_URL: a process with only some of the roles needs a Postgres server that the other processes share
      SOLVER_KEYSTORE: SOLVER_PRIVATE_KEY is set too: set only one of them
      ALLOCATOR_KEYSTORE_PASSWORD: needs ALLOCATOR_KEYSTORE, which is not set]
  `)
})

it('refuses a feed without the servers that it needs, and a market from a feed if a role must read chains', () => {
  const feed = {
    DATABASE_URL: 'postgres://localhost/x',
    REDIS_URL: 'redis://localhost',
    FEED_SECRET: 's'.repeat(32),
  }
  const reading = { ...feed, MARKET_SOURCE: 'feed' }
  expect(readEnvironment({ ...reading, ROLES: 'gateway,tracker' }).MARKET_SOURCE).toBe('feed')
  expect([...readEnvironment({ ...feed, ROLES: 'feed,gateway' }).ROLES]).toEqual([
    ...['feed', 'gateway'],
  ])
  const messageOf = (variables: Readonly<Record<string, string>>) => {
    try {
      readEnvironment(variables)
      return 'none'
    } catch (error) {
      return (error as Error).message
    }
  }
  expect([
    messageOf({ ROLES: 'feed', FEED_SECRET: 'short' }),
    messageOf({ ROLES: 'gateway', MARKET_SOURCE: 'feed' }),
    messageOf({ ...reading, ROLES: 'tracker' }),
    messageOf(reading),
    messageOf({ ...reading, ROLES: 'gateway,feed' }),
  ]).toMatchInlineSnapshot(`
    [
      "The environment is not valid:
      FEED_SECRET: must have at least 32 characters
      DATABASE_URL: the feed needs it: the processes that share it elect the publisher
      REDIS_URL: the feed needs it: it carries the streams",
      "The environment is not valid:
      DATABASE_URL: the feed needs it: the processes that share it elect the publisher
      REDIS_URL: the feed needs it: it carries the streams
      FEED_SECRET: the feed needs it: it signs the messages",
      "The environment is not valid:
      MARKET_SOURCE: only gateways read the feed",
      "The environment is not valid:
      MARKET_SOURCE: solvers and feeds read the chains themselves: run them in another process than a gateway that reads the feed",
      "The environment is not valid:
      MARKET_SOURCE: solvers and feeds read the chains themselves: run them in another process than a gateway that reads the feed",
    ]
  `)
})

it('counts empty variables as absent', () => {
  expect(readEnvironment({ ROLES: '', REDIS_URL: '' })).toEqual(readEnvironment({}))
})

it('refuses a signer’s URL with a password, because logs name it', () => {
  const read = (url: string) => () => readEnvironment({ SOLVER_SIGNER_URL: url })
  expect(read('https://signer.example:9000/base')).not.toThrow()
  expect(read('ftp://signer.example')).toThrow('SOLVER_SIGNER_URL: must be an http or https URL')
  for (const url of ['http://name:pass@signer.example', 'http://signer.example?token=pass'])
    expect(read(url)).toThrow(
      'SOLVER_SIGNER_URL: must not contain a user, a password, a query or a fragment',
    )
})

it('reads secrets from files, and never shows them', () => {
  const directory = mkdtempSync(join(tmpdir(), 'secrets-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const write = (name: string, text: string) => {
    const path = join(directory, name)
    writeFileSync(path, text)
    return path
  }
  const key = `0x${'12'.repeat(32)}`
  const { DATABASE_URL, SOLVER_PRIVATE_KEY } = readEnvironment({
    DATABASE_URL_FILE: write('database', 'postgres://one:secret@localhost/x\n'),
    SOLVER_PRIVATE_KEY_FILE: write('key', `${key}\r\n`),
  })
  expect([DATABASE_URL, SOLVER_PRIVATE_KEY]).toEqual(['postgres://one:secret@localhost/x', key])
  const read = () =>
    readEnvironment({
      DATABASE_URL: 'postgres://localhost/x',
      DATABASE_URL_FILE: write('database', 'postgres://one:secret@localhost/x'),
      REDIS_URL_FILE: '/nowhere/redis',
      FEED_SECRET_FILE: write('empty', '\n'),
      SOLVER_PRIVATE_KEY_FILE: write('key', `${key}12`),
    })
  expect(() => read()).toThrow(
    [
      'The environment is not valid:',
      '  DATABASE_URL_FILE: DATABASE_URL is set too: set only one of them',
      "  REDIS_URL_FILE: cannot be read: ENOENT: no such file or directory, open '/nowhere/redis'",
      `  FEED_SECRET_FILE: ${join(directory, 'empty')} is empty`,
      '  SOLVER_PRIVATE_KEY: must be 0x and 64 hexadecimal digits',
    ].join('\n'),
  )
})
