import { once } from 'node:events'
import { connect } from 'node:net'

/** Whether anything listens; a process id would also name one that has died but was not reaped. */
export async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  const connected = await once(socket, 'connect').then(
    () => true,
    () => false,
  )
  socket.destroy()
  return connected
}
