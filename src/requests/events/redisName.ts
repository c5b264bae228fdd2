/** What processes of one database share in Redis: wake-ups, and counts of rate limits. */
type Shared = 'wakeups' | 'rate'

/**
 * The name in Redis of what the processes of one database share: one Redis can serve several databases. Databases of the same
 * name on different servers need a Redis, or a database of Redis, each.
 */
export function redisName(shared: Shared, databaseUrl: string | undefined): string {
  const database = databaseUrl === undefined ? '' : new URL(databaseUrl).pathname.slice(1)
  return ['crossquote', shared, database].filter((part) => part !== '').join(':')
}
