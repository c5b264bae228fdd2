import type { Duplex } from 'node:stream'

/** Calls `done` once all that was written has left this process, or the connection is closed. */
export const onceWritten = (connection: Duplex, done: () => void): void => {
  connection.write('', () => done())
}
