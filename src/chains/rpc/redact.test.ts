import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRedactor, redactUrl } from './redact.ts'

const key = fc.stringMatching(/^[A-Za-z0-9_-]{8,40}$/)
const urlWithKey = key.chain((secret) =>
  fc.record({
    secret: fc.constant(secret),
    url: fc.constantFrom(
      `https://rpc.example.org/v2/${secret}`,
      `https://rpc.example.org/?apikey=${secret}`,
      `https://user:${secret}@rpc.example.org/`,
      `wss://${secret}@rpc.example.org:8546/ws`,
    ),
  }),
)

test('no key of a URL remains in any text, with its URL or alone', () => {
  fc.assert(
    fc.property(urlWithKey, fc.string(), fc.string(), ({ secret, url }, before, after) => {
      fc.pre(!'https://rpc.example.org:8546/…'.includes(secret))
      fc.pre(!before.includes(secret) && !after.includes(secret))
      const redact = createRedactor([url])
      expect(redactUrl(url)).not.toContain(secret)
      expect(redact(`${before} ${url} ${after}`)).not.toContain(secret)
      expect(redact(`${before} ${secret} ${after}`)).not.toContain(secret)
    }),
  )
})

test('text that is not secret stays readable', () => {
  expect(redactUrl('http://127.0.0.1:8545')).toBe('http://127.0.0.1:8545')
  expect(redactUrl('https://eth.example.org/v3/0123456789abcdef')).toBe('https://eth.example.org/…')
  const redact = createRedactor(['https://eth.example.org/v3/0123456789abcdef'])
  expect(redact('limit of 0123456789abcdef reached, see https://docs.example.org/limits?x=1')).toBe(
    'limit of … reached, see https://docs.example.org/…',
  )
})

test('control characters become spaces: none begins a line or colors a terminal', () => {
  expect(createRedactor([])('no\r\n{"level":60}\u001b[31m\u202e')).toBe('no {"level":60} [31m ')
})

test('long text is cut to 300 characters', () => {
  expect(createRedactor([])('x'.repeat(5000))).toHaveLength(300)
})
