import type { Environment } from '#src/environment.ts'
import type { FeedPlace } from '#src/market/feed/feedReader.ts'
import { redisName } from '#src/requests/events/redisName.ts'

/** Where the processes of a database publish and read the markets of its chains; undefined without what that needs. */
export function feedPlaceOf({
  REDIS_URL: url,
  DATABASE_URL: databaseUrl,
  FEED_SECRET: secret,
}: Environment): FeedPlace | undefined {
  if (url === undefined || databaseUrl === undefined || secret === undefined) return undefined
  return { url, secret, streamPrefix: redisName('feed', databaseUrl) }
}
