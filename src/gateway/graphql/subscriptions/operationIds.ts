/**
 * The ids of the operations of one connection, as graphql-ws knows them: no two operations have the same. A client may use an id
 * again as soon as it has sent `complete`, while what is left of that operation still runs; graphql-ws would take one for the other.
 */
export type OperationIds = Readonly<{
  /** The id of a new operation; `undefined` while another one has that of the client. */
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

/** A message of graphql-ws, which begins with the id, with that of the client. */
export const withClientId = (message: string): string => message.replace(/^\{"id":"\d+:/, '{"id":"')
