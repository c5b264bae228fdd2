import { expect, it } from 'vitest'
import { misspelledVariables, readEnvironment } from './environment.ts'

it.each([
  ['DATABSE_URL', 'Did you mean DATABASE_URL?'],
  ['database_url', 'Did you mean DATABASE_URL?'],
  ['ROLE', 'Did you mean ROLES?'],
  ['REDIS_URI', 'Did you mean REDIS_URL?'],
  ['SOLVER_PRIVATE_KEY_FIEL', 'Did you mean SOLVER_PRIVATE_KEY_FILE?'],
  ['SOLVER_SECRET', 'The nearest is FEED_SECRET.'],
])('names %s with the nearest right name', (name, advice) => {
  expect(misspelledVariables({ [name]: 'x' })).toEqual([
    `${name} is not a variable of Crossquote. ${advice}`,
  ])
})

it('does not name its own variables, nor those of other programs', () => {
  const others = ['PATH', 'HOME', 'HOSTNAME', 'PGHOST', 'PWD', 'NODE_ENV', 'NODE_OPTIONS', 'TERM']
  const foreign = ['OTEL_TRACES_SAMPLER', 'SOLVER_SERVICE_HOST', 'RELAYER_PORT_80_TCP_ADDR']
  const own = ['PORT', 'CONFIG', 'DEPLOYER_PRIVATE_KEY', 'DATABASE_URL_FILE', 'LOG_LEVEL']
  const variables = [...others, ...foreign, ...own].map((name) => [name, 'x'])
  expect(misspelledVariables(Object.fromEntries(variables))).toEqual([])
})

it('names them in a refused start: they may be the reason', () => {
  const database = 'postgres://localhost/x'
  expect(() => readEnvironment({ ROLES: 'gateway', DATABSE_URL: database })).toThrow(
    '  DATABSE_URL is not a variable of Crossquote. Did you mean DATABASE_URL?',
  )
})
