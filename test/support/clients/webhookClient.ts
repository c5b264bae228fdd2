import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, vi } from 'vitest'
import { patience } from '#test/support/patience.ts'

type Call = Readonly<{ headers: IncomingHttpHeaders; body: string; response: ServerResponse }>

/** Starts a webhook receiver that is closed at the end of the test. */
export async function serveClient(status?: number) {
  const client = await startClient(status)
  onTestFinished(client.close)
  return client
}

/** A webhook receiver. Calls wait for `answer`, unless `status` answers all of them. */
export async function startClient(status?: number) {
  const calls: Call[] = []
  const client = { status }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    calls.push({ headers: request.headers, body: Buffer.concat(chunks).toString(), response })
    if (client.status !== undefined)
      response.writeHead(client.status, { location: '/elsewhere' }).end('x')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const webhookUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?secret`
  return Object.assign(client, {
    webhookUrl,
    calls,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
    answer: (at: number, code: number) => calls[at]?.response.writeHead(code).end('thanks'),
    arrived: (count: number) => vi.waitFor(() => expect(calls.length).toBe(count), patience),
  })
}

export const bodyOf = ({ body }: Call) => JSON.parse(body) as { data: Record<string, unknown> }
