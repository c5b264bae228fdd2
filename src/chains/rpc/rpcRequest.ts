/** A JSON-RPC request without its id. */
export type RpcRequest = Readonly<{
  method: string
  params?: readonly unknown[]
  /**
   * Only endpoints that have a block of this height are asked: one that is behind answers a range of logs with those it
   * has, without a word.
   */
  minHeight?: bigint
}>
