/** What processes of one database share in Redis: wake-ups, counts of rate limits, and the feeds of markets. */
type Shared = 'wakeups' | 'rate' | 'feed'

/**
 * The name in Redis of what the processes of one database share: one Redis can serve several databases. Databases of the same
 * name on different servers need a Redis, or a database of Redis, each.
 */
export function redisName(shared: Shared, databaseUrl: string | undefined): string {
  const database = databaseUrl === undefined ? '' : new URL(databaseUrl).pathname.slice(1)
  return ['crossquote', shared, database].filter((part) => part !== '').join(':')
}
