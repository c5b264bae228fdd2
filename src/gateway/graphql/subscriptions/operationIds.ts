/**
 * Gives each operation of a connection an id for graphql-ws that is never reused. A client may reuse its own id as soon
 * as it has sent `complete`, while the old operation still runs. With the client's ids, graphql-ws would confuse the
 * two.
 */
export type OperationIds = Readonly<{
  /** The id of a new operation; `undefined` while another operation has the client's id. */
  open: (clientId: string) => string | undefined
  /** Frees the client's id, and returns the id of its operation; `undefined` if it has none. */
  complete: (clientId: string) => string | undefined
  /** The operation has ended: frees the client's id, unless a newer one has it. */
  end: (clientId: string, id: string) => void
}>

export function createOperationIds(): OperationIds {
  const open = new Map<string, string>()
  let opened = 0
  return {
    open: (clientId) => {
      if (open.has(clientId)) return undefined
      const id = `${opened}:${clientId}`
      opened += 1
      open.set(clientId, id)
      return id
    },
    complete: (clientId) => {
      const id = open.get(clientId)
      open.delete(clientId)
      return id
    },
    end: (clientId, id) => {
      if (open.get(clientId) === id) open.delete(clientId)
    },
  }
}

export const clientIdOf = (id: string): string => id.slice(id.indexOf(':') + 1)

/** A message of graphql-ws, with the id at its start replaced by the client's. */
export const withClientId = (message: string): string => message.replace(/^\{"id":"\d+:/, '{"id":"')
