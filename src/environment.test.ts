import { expect, it } from 'vitest'
import { readEnvironment } from './environment.ts'

it('runs every part where nothing else is said, and the named ones where it is', () => {
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
      ROLES: each is to be one of gateway, tracker, solver
      SOLVER_PRIVATE_KEY: 32 bytes in hexadecimal, with 0x before them
      LOG_LEVEL: Invalid option: expected one of "debug"|"info"|"warn"|"error"|"silent"]
  `)
})

it('refuses parts of the whole without a database to share, and two keys', () => {
  const read = () =>
    readEnvironment({
      ROLES: 'gateway',
      SOLVER_PRIVATE_KEY: `0x${'12'.repeat(32)}`,
      SOLVER_KEYSTORE: 'key.json',
    })
  expect(read).toThrowErrorMatchingInlineSnapshot(`
    [Error: The environment is not valid:
      DATABASE_URL: processes that share the work need one database: a Postgres server
      SOLVER_KEYSTORE: SOLVER_PRIVATE_KEY is there already: give one of the two]
  `)
})

it('takes empty variables for absent ones', () => {
  expect(readEnvironment({ ROLES: '', REDIS_URL: '' })).toEqual(readEnvironment({}))
})
