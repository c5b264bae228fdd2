import { createHash } from 'node:crypto'
import type { Config } from '#src/config.ts'
import { AppError } from '#src/errors.ts'

/** A client that the configuration knows by its API key. */
export type Caller = Readonly<{
  name: string
  /** Whether it may ask for its users' fees to be put on its account. */
  sponsors: boolean
}>

/**
 * Who sent a key; nobody, where none was sent.
 * @throws AppError UNAUTHORIZED for a key that nobody has.
 */
export type Identify = (apiKey: string | undefined) => Caller | undefined

/** Keys are looked up by their hash: how long that takes tells nothing of the keys there are. */
export function createCallers(apiKeys: Config['apiKeys']): Identify {
  const callers = new Map(
    apiKeys.map(({ key, name, sponsors }) => [hashOf(key), { name, sponsors }]),
  )
  return (apiKey) => {
    if (apiKey === undefined) return undefined
    const caller = callers.get(hashOf(apiKey))
    if (caller === undefined)
      throw new AppError(
        'UNAUTHORIZED',
        'x-api-key: no client has this key; leave it out or mend it.',
      )
    return caller
  }
}

const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex')
