import { vi } from 'vitest'
import { patience } from '#test/support/patience.ts'
import {
  type CrossquoteProcess,
  spawnCrossquote,
} from '#test/support/processes/crossquoteProcess.ts'

/** A place where one process runs. After it has been killed, another one takes its place. */
export type Slot = Readonly<{
  name: string
  roles: string
  /** URL of its process; undefined while it starts. */
  url: () => string | undefined
  log: () => string
  /** Kills the process, and starts the next one. */
  restart: () => Promise<void>
  freeze: () => void
  thaw: () => void
  /** Resident memory in bytes. */
  memory: () => Promise<number>
  isReady: () => Promise<boolean>
  stop: () => Promise<void>
}>

export function openSlot(name: string, roles: string, env: Readonly<Record<string, string>>): Slot {
  let logs = ''
  let url: string | undefined
  let isStopped = false
  let current = start()

  function start(): CrossquoteProcess {
    const started = spawnCrossquote({ ...env, ...(roles !== 'all' && { ROLES: roles }) })
    url = undefined
    void started.url().then(
      (found) => {
        if (started === current) url = found
      },
      () => undefined,
    )
    // Like the supervisor of a machine: a process that ends by itself is started again.
    void started.ended.then(async () => {
      logs += started.log()
      if (isStopped || started !== current) return
      current = start()
    })
    return started
  }

  const metric = async (pattern: RegExp): Promise<number> => {
    const text = await (await fetch(`${url}/metrics`)).text()
    return Number(pattern.exec(text)?.[1])
  }

  return {
    name,
    roles,
    url: () => url,
    log: () => logs + current.log(),
    restart: async () => {
      const killed = current
      await killed.kill()
      await vi.waitUntil(() => current !== killed, patience)
    },
    freeze: () => current.freeze(),
    thaw: () => current.thaw(),
    memory: () => metric(/^process_resident_memory_bytes (\d+)/m),
    isReady: async () => {
      try {
        const limit = AbortSignal.timeout(2_000)
        return url !== undefined && (await fetch(`${url}/ready`, { signal: limit })).ok
      } catch {
        return false
      }
    },
    stop: async () => {
      isStopped = true
      current.thaw()
      await current.kill()
    },
  }
}
