import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import type { startTcpProxy } from '#test/support/clients/tcpProxy.ts'
import type { RpcProxy } from '#test/support/nodes/rpcProxy.ts'
import type { Slot } from './slots.ts'

type TcpProxy = Awaited<ReturnType<typeof startTcpProxy>>

/** The parts that faults can break. */
export type Breakable = Readonly<{
  slots: readonly Slot[]
  rpc: readonly RpcProxy[]
  gatewayUrl: string
  postgres?: TcpProxy
  redis?: TcpProxy
  /** A directory on a small disk of its own. */
  disk?: string
}>

/** A fault begins, and its heal ends it. `pick` chooses one of a list, by the seed. */
export type Fault = Readonly<{
  kind: string
  begin: (
    pick: <Value>(values: readonly Value[]) => Value,
  ) => Promise<Readonly<{ what: string; heal: () => Promise<void> | void }>>
}>

/** Every kind of fault that is possible here. */
export function faultsOf({
  slots,
  rpc,
  gatewayUrl,
  postgres,
  redis,
  disk,
}: Breakable): readonly Fault[] {
  const nothing = () => undefined
  const onSlot = (
    kind: string,
    act: (slot: Slot) => Promise<() => void> | (() => void),
  ): Fault => ({
    kind,
    begin: async (pick) => {
      const slot = pick(slots)
      return { what: slot.name, heal: await act(slot) }
    },
  })
  const cutting = (kind: string, proxy: TcpProxy): Fault => ({
    kind,
    begin: async () => {
      proxy.down()
      return { what: 'all connections', heal: proxy.up }
    },
  })
  return [
    onSlot('kill -9', async (slot) => {
      await slot.restart()
      return nothing
    }),
    onSlot('SIGSTOP', (slot) => {
      slot.freeze()
      return slot.thaw
    }),
    {
      kind: 'frozen chain',
      begin: async (pick) => {
        const proxy = pick(rpc)
        proxy.behave('hang')
        return { what: `chain ${rpc.indexOf(proxy)}`, heal: () => proxy.behave('pass') }
      },
    },
    {
      kind: 'stalled readers',
      begin: async () => {
        const readers = Array.from({ length: 40 }, () => stall(gatewayUrl))
        return {
          what: `${readers.length} connections`,
          heal: () => {
            for (const each of readers) each.destroy()
          },
        }
      },
    },
    ...(postgres === undefined ? [] : [cutting('Postgres cut', postgres)]),
    ...(redis === undefined ? [] : [cutting('Redis cut', redis)]),
    ...(disk === undefined ? [] : [fullDisk(disk)]),
  ]
}

/** Asks for many answers and for a subscription, and reads none of them. */
function stall(url: string): Socket {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  // The server may cut it, which is what it should do.
  socket.on('error', () => socket.destroy())
  const body = JSON.stringify({ query: 'subscription { chainHead(chainId: 990001) { number } }' })
  socket.write('GET /openapi.json HTTP/1.1\r\nhost: reader\r\n\r\n'.repeat(50))
  socket.write(
    `POST /graphql HTTP/1.1\r\nhost: reader\r\naccept: text/event-stream\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
  return socket.pause()
}

function fullDisk(directory: string): Fault {
  const path = join(directory, 'ballast')
  return {
    kind: 'full disk',
    begin: async () => {
      const file = openSync(path, 'w')
      const block = Buffer.alloc(64 * 1024, 1)
      let megabytes = 0
      try {
        for (;;) megabytes += writeSync(file, block) / 2 ** 20
      } catch (error) {
        if ((error as { code?: string }).code !== 'ENOSPC') throw error
      } finally {
        closeSync(file)
      }
      return {
        what: `${Math.round(megabytes)} MB of ballast`,
        heal: () => rmSync(path, { force: true }),
      }
    },
  }
}
