import { DrizzleQueryError } from 'drizzle-orm'
import { HttpRequestError, RpcRequestError } from 'viem'
import { expect, test } from 'vitest'
import { RpcRefusedError } from '#src/chains/rpc/rpcError.ts'
import { reasonOf } from './errors.ts'

const refused = Object.assign(new Error('connect refused'), { code: 'ECONNREFUSED' })
const chain = { id: 1, displayName: 'Chain' }
const url = 'https://key@host.example'

test.each([
  ['a thrown string', 'no error', 'no error'],
  ['an error', new Error('too late'), 'too late'],
  ['an error with a code', refused, 'ECONNREFUSED: connect refused'],
  ['a cause', new TypeError('fetch failed', { cause: refused }), 'ECONNREFUSED: connect refused'],
  [
    'several causes',
    new AggregateError([refused, 'other']),
    'ECONNREFUSED: connect refused; other',
  ],
  [
    'a failed statement',
    new DrizzleQueryError('select secret', ['secret'], new Error('terminated')),
    'terminated',
  ],
  ['an HTTP status', new HttpRequestError({ status: 502, url, body: {} }), 'HTTP 502'],
  [
    'the answer of a node',
    new RpcRequestError({ body: {}, url, error: { code: 3, message: 'reverted' } }),
    'reverted',
  ],
  [
    'a refusal',
    new RpcRefusedError(chain, { method: 'eth_call', code: -32000, reason: 'unknown block' }),
    'eth_call: error -32000: unknown block',
  ],
])('reasonOf names the innermost cause of %s', (_, error, reason) => {
  expect(reasonOf(error)).toBe(reason)
})
