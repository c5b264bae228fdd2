import { WebSocket } from 'ws'

/** Calls `onPending` when a transaction enters the mempool of a node, until the returned function is called. */
export function watchPending(wsUrl: string, onPending: () => void): () => void {
  const socket = new WebSocket(wsUrl, { perMessageDeflate: false })
  const subscribe = { method: 'eth_subscribe', params: ['newPendingTransactions'] }
  socket.on('open', () => socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, ...subscribe })))
  socket.on('message', (message) => {
    if (message.toString().includes('eth_subscription')) onPending()
  })
  // The chain has ended, or is about to.
  socket.on('error', () => undefined)
  return () => socket.terminate()
}
