/** An error of the JSON-RPC interface. The codes are those of a real node. */
export class RpcError extends Error {
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.name = 'RpcError'
    this.code = code
    this.data = data
  }
}

export const invalidParams = (message: string): RpcError => new RpcError(-32_602, message)
