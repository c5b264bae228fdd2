import { createHash } from 'node:crypto'

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
