/** A JSON-RPC request without its id. */
export type RpcRequest = Readonly<{ method: string; params?: readonly unknown[] }>
