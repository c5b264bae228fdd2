import type { KeyOwner } from './keySource.ts'

/** A key cannot be used. The message names its variable, and never contains the key, the password or file content. */
export class KeyError extends Error {
  constructor(owner: KeyOwner, variable: string, reason: string) {
    super(`The ${owner}’s key cannot be used (${variable}): ${reason}`)
    this.name = 'KeyError'
  }
}
