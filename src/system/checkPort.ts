import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Environment } from '#src/config/environment.ts'

/**
 * Listens for a moment, so that a port that cannot be used fails the start at once.
 * @throws Error that names the variable to change
 */
export async function checkPort({ PORT: port, HOST: host }: Pick<Environment, 'PORT' | 'HOST'>) {
  const server = createServer()
  try {
    server.listen(port, host)
    await once(server, 'listening')
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    throw new Error(problems[code]?.(host, port) ?? `Cannot listen at ${host}:${port}: ${message}`)
  }
  server.close()
  await once(server, 'close')
}

const noAddress = (host: string) => `HOST: this machine has no address ${host}`

const problems: Readonly<Record<string, (host: string, port: number) => string>> = {
  EADDRINUSE: (host, port) => `PORT: another process listens at ${host}:${port}`,
  EACCES: (_, port) => `PORT: this user may not listen at port ${port}`,
  EADDRNOTAVAIL: noAddress,
  ENOTFOUND: noAddress,
}
