import type { Reply } from './reply.ts'

/** Tells browsers that every page may send these methods, with any header but credentials. */
export const preflight = (methods: string): Reply => ({
  status: 204,
  headers: {
    'access-control-allow-methods': methods,
    // By name too, for browsers that do not know the wildcard.
    'access-control-allow-headers': 'content-type, x-api-key, *',
    'access-control-max-age': '86400',
  },
  body: '',
})
