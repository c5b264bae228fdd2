import type { Duplex } from 'node:stream'

/** Calls `done` once everything written so far has left this process, or the connection is closed. */
export const onceWritten = (connection: Duplex, done: () => void): void => {
  connection.write('', () => done())
}
