import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createStaticReply } from '#src/gateway/http/cachedReply.ts'
import type { Page } from '#src/gateway/http/pages.ts'
import type { Operations } from '#src/service/operations.ts'

const folder = fileURLToPath(new URL('../../page', import.meta.url))
const require = createRequire(import.meta.url)
const besideModule = (specifier: string, file: string): string =>
  join(dirname(require.resolve(specifier)), file)

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** Files of npm packages, under the paths that the import map of index.html names. */
const libraries: readonly (readonly [path: string, file: string])[] = [
  ['preact.mjs', besideModule('preact', 'preact.mjs')],
  ['hooks.mjs', besideModule('preact/hooks', 'hooks.mjs')],
  ['htm.mjs', besideModule('htm', 'htm.mjs')],
  ['htm-preact.mjs', besideModule('htm/preact', 'index.mjs')],
  // The client imports a second file, whose name changes with the version.
  ...globSync(['client.js', 'common-*.js'], { cwd: besideModule('graphql-ws/client', '.') }).map(
    (file) => [`graphql-ws/${file}`, besideModule('graphql-ws/client', file)] as const,
  ),
]

/**
 * The page at `/` with its modules, styles and libraries. The folder `src/page` is served unchanged, without a build
 * step. Nothing is loaded from another host.
 */
export function createPageFiles(chains: Operations['chains']): ReadonlyMap<string, Page> {
  const own = globSync('**/*.{js,css,svg}', { cwd: folder }).map(
    (file) => [file, join(folder, file)] as const,
  )
  const served = [...own, ...libraries.map(([path, file]) => [`modules/${path}`, file] as const)]
  let index: Page | undefined
  return new Map<string, Page>([
    // The chains are read on the first request: the policy lets the page connect to nodes of a development machine.
    [
      '/',
      (request) => {
        index ??= indexPage(chains().map(({ publicRpcUrl }) => publicRpcUrl))
        return index(request)
      },
    ],
    ...served.map(
      ([path, file]) =>
        [
          `/page/${path}`,
          createStaticReply(() => readFileSync(file), {
            'content-type': types[extname(file)],
            'cache-control': 'no-cache',
          }),
        ] as const,
    ),
  ])
}

function indexPage(rpcUrls: readonly (string | undefined)[]): Page {
  const html = readFileSync(join(folder, 'index.html'), 'utf8')
  return createStaticReply(() => Buffer.from(html), {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    'referrer-policy': 'no-referrer',
    'content-security-policy': contentPolicy(html, rpcUrls),
  })
}

/**
 * Allows scripts, styles and data of this host only. RPC nodes on the loopback interface are the exception: the page
 * sends transactions of the unlocked accounts of a development node.
 */
export function contentPolicy(html: string, rpcUrls: readonly (string | undefined)[]): string {
  const inline = [...html.matchAll(/<script type="importmap">([\s\S]*?)<\/script>/g)].map(
    ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  )
  const nodes = rpcUrls.filter((url) => url !== undefined).filter(isLoopback)
  return Object.entries({
    'default-src': ["'none'"],
    'script-src': ["'self'", ...inline],
    'style-src': ["'self'"],
    'img-src': ["'self'", 'data:'],
    'connect-src': ["'self'", ...new Set(nodes.map((url) => new URL(url).origin))],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
    'frame-ancestors': ["'none'"],
    'require-trusted-types-for': ["'script'"],
  })
    .map(([directive, sources]) => `${directive} ${sources.join(' ')}`)
    .join('; ')
}

const isLoopback = (url: string): boolean =>
  /^http:$/.test(new URL(url).protocol) &&
  /^(localhost|\[::1\]|127(\.\d+){3})$/.test(new URL(url).hostname)
