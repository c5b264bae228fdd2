/** A JSON-RPC request without its id. */
export type RpcRequest = Readonly<{
  method: string
  params?: readonly unknown[]
  /**
   * Only endpoints that have reached this height are asked. A node that is behind returns an incomplete range of logs
   * without an error.
   */
  minHeight?: bigint
}>
