import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { toChainId } from '#src/core/units/chainId.ts'
import { createTestClient } from '#test/support/chains/testChain.ts'
import { addRpcMetrics } from './rpcMetrics.ts'

it('counts requests and refusals by endpoint and method, without the keys of a URL', async () => {
  const chainId = toChainId(990001)
  const node = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(
      JSON.stringify({ id: 1, error: { code: -32_000, message: 'unknown s3cr3tK3y0123' } }),
    )
  }).listen(0, '127.0.0.1')
  await once(node, 'listening')
  const { port } = node.address() as AddressInfo
  const urls = ['v2/s3cr3tK3y0123', '?key=s3cr3tK3y0123'].map(
    (path) => `http://127.0.0.1:${port}/${path}`,
  )
  const [first = '', second = ''] = urls
  const rpcLimits = new Map([[second, { requestsPerSecond: 25 }]])
  const client = createTestClient({ rpcUrls: [first], sendUrls: [second], rpcLimits })
  const registry = new Registry()
  addRpcMetrics(registry, () => [{ id: chainId, name: 'one' }], new Map([[chainId, client]]))
  try {
    await client.getBlockNumber().catch(() => undefined)
    const text = await registry.metrics()
    const endpoint = `endpoint="0: http://127.0.0.1:${port}/…"`
    expect(text).toContain(
      `crossquote_rpc_refusals_total{chain="one",${endpoint},method="eth_chainId",reason="refused"} `,
    )
    expect(text).toMatch(/requests_total\{chain="one",endpoint="0: .*",method="eth_chainId"\} \d/)
    expect(text).toMatch(/failures_total\{chain="one",endpoint="0: .*"\} [1-9]/)
    expect(text).toContain(`crossquote_rpc_requests_per_second_limit{chain="one",${endpoint}} +Inf`)
    expect(text).toMatch(/per_second_limit\{chain="one",endpoint="1: .*"\} 25/)
    expect(text).toMatch(/crossquote_rpc_backing_off\{chain="one",endpoint="1: .*"\} 0/)
    expect(text).toMatch(/crossquote_rpc_in_flight\{.*\} 0/)
    expect(text).not.toContain('s3cr3t')
  } finally {
    client.close()
    node.close()
  }
})
