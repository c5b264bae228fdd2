import { createHash } from 'node:crypto'
import type { Config } from '#src/config.ts'
import { AppError } from '#src/errors.ts'

/** A client with an API key in the configuration. */
export type Caller = Readonly<{
  name: string
  /** Whether it may pay its users' fees (`subsidizeFees`). */
  sponsors: boolean
}>

/**
 * Finds the client of an API key; `undefined` without a key.
 * @throws AppError UNAUTHORIZED for an unknown key.
 */
export type Identify = (apiKey: string | undefined) => Caller | undefined

/** Looks keys up by their hash, so that the response time reveals nothing about valid keys. */
export function createCallers(apiKeys: Config['apiKeys']): Identify {
  const callers = new Map(
    apiKeys.map(({ key, name, sponsors }) => [hashOf(key), { name, sponsors }]),
  )
  return (apiKey) => {
    if (apiKey === undefined) return undefined
    const caller = callers.get(hashOf(apiKey))
    if (caller === undefined)
      throw new AppError('UNAUTHORIZED', 'x-api-key: unknown API key. Correct it or leave it out.')
    return caller
  }
}

const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex')
