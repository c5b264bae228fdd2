import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { codeBlocks } from '#test/support/clients/documents.ts'
import { startTcpProxy } from '#test/support/clients/tcpProxy.ts'
import { type LiveGateway, serveLiveGateway } from '#test/support/gateways/liveGateway.ts'
import { patience } from '#test/support/patience.ts'
import { idOf } from '#test/support/store/storeModel.ts'

let live: LiveGateway
let proxy: Awaited<ReturnType<typeof startTcpProxy>>
beforeAll(async () => {
  live = await serveLiveGateway()
  const { hostname: host, port } = new URL(live.url)
  proxy = await startTcpProxy({ host, port: Number(port) })
})
afterAll(async () => {
  await proxy.stop()
  await live.close()
})

/** Subscribes with the client of a sample, and gives each status or the message of an error to `told`. */
type Follow = (requestId: string, told: (event: string) => void) => void

const document = 'subscription ($id: RequestId!) { requestStatus(requestId: $id) { status } }'
const followers = {
  '@apollo/client': `import { gql } from '@apollo/client'
export const follow = (id, told) => client
  .subscribe({ query: gql\`${document}\`, variables: { id } })
  .subscribe({
    next: ({ data, error }) => told(error ? error.message : data.requestStatus.status),
    error: (error) => told(error.message),
  })`,
  '@urql/core': `export const follow = (id, told) => client
  .subscription(\`${document}\`, { id })
  .subscribe(({ data, error }) => told(error ? error.message : data.requestStatus.status))`,
}

/** The sample of docs/frontends.md that uses a package, for the gateway behind the proxy. `delays` lists its pauses. */
async function loadSample(name: keyof typeof followers) {
  const sample = codeBlocks('ts', ['docs/frontends.md']).find(({ text }) =>
    text.includes(`from '${name}'`),
  )
  const text = sample?.text.replaceAll('localhost:4000', `127.0.0.1:${proxy.port}`)
  const folder = mkdtempSync('.crossquote/sample-')
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(process.cwd(), folder, 'sample.ts')
  writeFileSync(
    file,
    `export const delays = []
const setTimeout = (run, milliseconds) => {
  delays.push(milliseconds)
  return globalThis.setTimeout(run, 1)
}
export const close = () => sockets.dispose()
${text}
${followers[name]}`,
  )
  const loaded: { delays: number[]; close: () => unknown; follow: Follow } = await import(file)
  onTestFinished(async () => void (await loaded.close()))
  return loaded
}

it.each([
  ['@apollo/client', 921],
  ['@urql/core', 922],
] as const)(
  'the sample of %s keeps its subscription while the server is gone',
  async (name, at) => {
    const { delays, follow } = await loadSample(name)
    const requestId = idOf(at)
    live.model.put(requestId)
    const events: string[] = []
    follow(requestId, (event) => events.push(event))
    await expect.poll(() => events, patience).toEqual(['waiting'])
    proxy.down()
    // graphql-ws gives up after the fifth try by default, about a minute after the first.
    await expect
      .poll(() => delays.reduce((sum, each) => sum + each, 0), patience)
      .toBeGreaterThan(70_000)
    proxy.up()
    live.change(requestId, 'pending')
    await expect.poll(() => events.at(-1), patience).toBe('pending')
    expect(new Set(events)).toEqual(new Set(['waiting', 'pending']))
  },
)
