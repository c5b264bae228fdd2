import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createStaticReply } from '#src/gateway/http/cachedReply.ts'
import type { Page } from '#src/gateway/http/pages.ts'
import type { Service } from '#src/service/service.ts'
import { bundleModules } from './moduleBundle.ts'

const folder = fileURLToPath(new URL('../../page', import.meta.url))
const read = (file: string): string => readFileSync(file, 'utf8')

/** The file of a module: the page's own, a neighbor inside a package, or a package. */
function resolve(specifier: string, importer: string): string {
  const [, own] = /^#src\/page\/(.*)/.exec(specifier) ?? []
  if (own !== undefined) return join(folder, own)
  if (specifier.startsWith('.')) return join(dirname(importer), specifier)
  return fileURLToPath(import.meta.resolve(specifier))
}

const scriptOf = (entry: string) => (): string =>
  bundleModules(join(folder, entry), { read, resolve })

const styles = (): string =>
  // base.css is the first: the others rely on it.
  globSync('styles/*.css', { cwd: folder })
    .toSorted()
    .map((file) => read(join(folder, file)))
    .join('\n')

const operatorStyles = (): string =>
  ['styles/base.css', 'operator/operator.css'].map((file) => read(join(folder, file))).join('\n')

/**
 * The page at `/` in four files: a browser that asks for each module may get most of them and show nothing. They are
 * made when the first browser asks, without a build step. Nothing is loaded from another host. The operator's page at
 * `/operator` is made in the same way; anybody may load it, and only its data need a key.
 */
export function createPageFiles(chains: Service['chains']): ReadonlyMap<string, Page> {
  let index: Page | undefined
  return new Map<string, Page>([
    // The chains are read on the first request: the policy lets the page connect to nodes of a development machine.
    [
      '/',
      (request) => {
        index ??= indexPage(
          'index.html',
          chains().map(({ publicRpcUrl }) => publicRpcUrl),
        )
        return index(request)
      },
    ],
    ['/page/page.js', file(scriptOf('main.js'), 'text/javascript; charset=utf-8')],
    ['/page/page.css', file(styles, 'text/css; charset=utf-8')],
    ['/operator', indexPage('operator/operator.html', [])],
    ['/page/operator.js', file(scriptOf('operator/main.js'), 'text/javascript; charset=utf-8')],
    ['/page/operator.css', file(operatorStyles, 'text/css; charset=utf-8')],
    ['/page/icon.svg', file(() => read(join(folder, 'icon.svg')), 'image/svg+xml')],
  ])
}

const file = (make: () => string, contentType: string): Page =>
  createStaticReply(() => Buffer.from(make()), {
    'content-type': contentType,
    'cache-control': 'no-cache',
  })

function indexPage(name: string, rpcUrls: readonly (string | undefined)[]): Page {
  const html = read(join(folder, name))
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
  const inline = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
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
