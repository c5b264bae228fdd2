import { once } from 'node:events'
import { connect } from 'node:net'

/**
 * Whether a server listens at the address. Unlike a process id, this excludes processes that have exited but are
 * not reaped.
 */
export async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  const connected = await once(socket, 'connect').then(
    () => true,
    () => false,
  )
  socket.destroy()
  return connected
}
