/** Data in Redis that the processes of one database share: wake-ups, counts of rate limits, and market feeds. */
type Shared = 'wakeups' | 'rate' | 'feed'

/**
 * The Redis name of shared data. It contains the name of the database, so that one Redis can serve several databases.
 * Databases with the same name on different servers need separate Redis servers or Redis databases.
 */
export function redisName(shared: Shared, databaseUrl: string | undefined): string {
  const database = databaseUrl === undefined ? '' : new URL(databaseUrl).pathname.slice(1)
  return ['crossquote', shared, database].filter((part) => part !== '').join(':')
}
