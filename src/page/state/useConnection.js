import { useEffect, useState } from 'preact/hooks'
import { watchConnection } from '#src/page/api/gatewayClient.js'

/** Whether the gateway is connected: what is shown is old while it is not. */
export function useConnection() {
  const [isConnected, setConnected] = useState(true)
  useEffect(() => watchConnection(setConnected), [])
  return isConnected
}
