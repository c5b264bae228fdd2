import { renderGraphiQL } from '@graphql-yoga/render-graphiql'
import type { Operations } from '#src/operations/operations.ts'
import { exampleQueries } from './exampleQueries.ts'
import { createStaticReply } from './staticReply.ts'

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-cache',
  // The whole page is one document with its workers in blobs: it may speak with this host only.
  'content-security-policy':
    "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval' blob:; worker-src blob:; style-src 'unsafe-inline'; img-src data:; font-src data:; connect-src 'self'",
}

/** The GraphiQL page, 9 MB of it, with examples from what this gateway serves. */
export const createGraphiqlPage = ({ operations }: Readonly<{ operations: Operations }>) =>
  createStaticReply(() => {
    const defaultTabs = exampleQueries(operations).map((query) => ({ query }))
    return Buffer.from(renderGraphiQL({ title: 'Crossquote', defaultTabs }))
  }, headers)
