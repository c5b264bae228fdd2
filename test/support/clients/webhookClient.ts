import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { expect, onTestFinished, vi } from 'vitest'
import { listenLocally } from '#test/support/nodes/listenLocally.ts'
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
  const { url, stop } = await listenLocally(server)
  return Object.assign(client, {
    webhookUrl: `${url}/hook?secret`,
    calls,
    close: stop,
    answer: (at: number, code: number) => calls[at]?.response.writeHead(code).end('thanks'),
    arrived: (count: number) => vi.waitFor(() => expect(calls.length).toBe(count), patience),
  })
}

export const bodyOf = ({ body }: Call) => JSON.parse(body) as { data: Record<string, unknown> }
