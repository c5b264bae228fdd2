import { afterAll, beforeAll, expect, test } from 'vitest'
import { isListening } from '#test/support/clients/isListening.ts'
import { startTestNode, type TestNode } from '#test/support/svm/testNode.ts'

let running: TestNode
beforeAll(async () => {
  running = await startTestNode()
})
afterAll(() => running.stop())

const post = (body: string, contentType = 'application/json') =>
  fetch(running.node.url, { method: 'POST', headers: { 'content-type': contentType }, body })

const answerTo = async (body: string) => (await post(body)).text()

test('answers single calls and lists of calls', async () => {
  const call = (id: unknown, method: string) => JSON.stringify({ jsonrpc: '2.0', id, method })
  expect(await answerTo(call(7, 'getHealth'))).toBe('{"jsonrpc":"2.0","result":"ok","id":7}')
  expect(await answerTo(`[${call('a', 'getHealth')},${call(null, 'getBlock')}]`)).toBe(
    '[{"jsonrpc":"2.0","result":"ok","id":"a"},{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":null}]',
  )
  expect(await answerTo('{"jsonrpc":"2.0","method":"getHealth"}')).toBe('')
})

test('explains what is no call', async () => {
  const error = (code: number, message: string) => ({
    jsonrpc: '2.0',
    error: { code, message },
    id: null,
  })
  expect(JSON.parse(await answerTo('{'))).toEqual(error(-32_700, 'Parse error'))
  for (const body of ['[]', '1', '{"id":1}', '{"jsonrpc":"2.0","id":1,"method":5}'])
    expect(JSON.parse(await answerTo(body))).toEqual(error(-32_600, 'Invalid request'))
  expect(
    JSON.parse(await answerTo('{"jsonrpc":"2.0","id":1,"method":"constructor"}')),
  ).toMatchObject({
    error: { code: -32_601 },
  })
})

test('numbers of 64 bits are exact', async () => {
  const params = [running.user.pubkey, { encoding: 'base64' }]
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getAccountInfo', params })
  expect(await answerTo(body)).toContain('"rentEpoch":18446744073709551615')
})

test('limits what it reads', async () => {
  expect((await post(' '.repeat(50 * 1024 + 1))).status).toBe(413)
  expect((await post('{}', 'text/plain')).status).toBe(415)
  expect((await fetch(running.node.url)).status).toBe(405)
  expect(await (await fetch(`${running.node.url}/health`)).text()).toBe('ok')
})

test('wallets in a browser may call it', async () => {
  const preflight = await fetch(running.node.url, { method: 'OPTIONS' })
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
  expect(preflight.headers.get('access-control-allow-headers')).toBe('*')
})

test('frees its port, and fails on one that is taken', async () => {
  const port = Number(new URL(running.node.url).port)
  await expect(startTestNode({ port })).rejects.toThrow('EADDRINUSE')
  const other = await startTestNode()
  other.node.startClock(400)
  const otherPort = Number(new URL(other.node.url).port)
  await other.stop()
  await other.stop()
  expect(await isListening(otherPort)).toBe(false)
})
