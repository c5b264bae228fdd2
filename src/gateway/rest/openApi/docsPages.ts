import { readFileSync } from 'node:fs'
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { printSchema } from 'graphql'
import { createSchema } from '#src/gateway/graphql/schema.ts'
import { createStaticReply } from '#src/gateway/http/cachedReply.ts'
import type { Reply } from '#src/gateway/http/reply.ts'
import type { Service } from '#src/service/service.ts'
import { createOpenApi } from './openApi.ts'

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Crossquote REST API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
<div id="swagger-ui"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</html>
`

/** Starts Swagger UI. Its validator is off: it would call another host. */
const start = `window.ui = SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  validatorUrl: null,
  defaultModelsExpandDepth: 0,
})
`

const pageHeaders: OutgoingHttpHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-cache',
  // Scripts and data from this host only. Swagger UI sets inline styles.
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
}

const assetHeaders = (contentType: string): OutgoingHttpHeaders => ({
  'content-type': contentType,
  'cache-control': 'public, max-age=3600',
})

const script = assetHeaders('text/javascript; charset=utf-8')
const require = createRequire(import.meta.url)
const swaggerUi = dirname(require.resolve('swagger-ui-dist/package.json'))

const assetOf = (name: string, headers: OutgoingHttpHeaders) =>
  createStaticReply(() => readFileSync(join(swaggerUi, name)), headers)

/** The OpenAPI document, the GraphQL schema, and Swagger UI with all its assets. Nothing is loaded from another host. */
export function createDocsPages({
  operations,
}: Readonly<{ operations: Service }>): ReadonlyMap<
  string,
  (request: IncomingMessage) => Promise<Reply>
> {
  return new Map([
    [
      '/openapi.json',
      createStaticReply(() => Buffer.from(JSON.stringify(createOpenApi(operations), null, 2)), {
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'public, max-age=60',
      }),
    ],
    [
      '/schema.graphql',
      createStaticReply(() => Buffer.from(`${printSchema(createSchema())}\n`), {
        'content-type': 'text/plain; charset=utf-8',
        'cache-control': 'public, max-age=60',
      }),
    ],
    ['/docs', createStaticReply(() => Buffer.from(page), pageHeaders)],
    ['/docs/start.js', createStaticReply(() => Buffer.from(start), script)],
    ['/docs/swagger-ui-bundle.js', assetOf('swagger-ui-bundle.js', script)],
    ['/docs/swagger-ui.css', assetOf('swagger-ui.css', assetHeaders('text/css; charset=utf-8'))],
    ['/docs/favicon-32x32.png', assetOf('favicon-32x32.png', assetHeaders('image/png'))],
  ])
}
