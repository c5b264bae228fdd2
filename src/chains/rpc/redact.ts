/** Scheme and host of an RPC URL. The rest is secret: providers put keys into user names, paths and queries. */
export function redactUrl(url: string): string {
  const { protocol, host, pathname, search } = new URL(url)
  const bare = pathname === '/' && search === ''
  return `${protocol}//${host}${bare ? '' : '/…'}`
}

/**
 * Makes foreign text safe to log, such as a node's error message: cuts URLs to their host, replaces the
 * credentials and keys of `urls` by `…`, and control characters by spaces, which could begin a line or color a terminal.
 * Keeps the first 300 characters.
 */
export function createRedactor(urls: readonly string[]): (text: string) => string {
  const secrets = urls.flatMap(secretsOf).sort((a, b) => b.length - a.length)
  return (text) => {
    const cut = text.replace(/\b(?:https?|wss?):\/\/[^\s"'<>]+/gi, (url) =>
      URL.canParse(url) ? redactUrl(url) : '…',
    )
    const safe = secrets.reduce((rest, secret) => rest.replaceAll(secret, '…'), cut)
    return safe.slice(0, 300).replaceAll(/\p{C}+/gu, ' ')
  }
}

/** Shorter parts of a path or query are words such as "v2", which a message may contain. */
const minKeyLength = 8

function secretsOf(url: string): string[] {
  const { username, password, pathname, searchParams } = new URL(url)
  const credentials = [username, password].flatMap((part) => [part, decodeURIComponent(part)])
  const keys = [...pathname.split('/'), ...searchParams.values()]
  return [
    ...credentials.filter((part) => part !== ''),
    ...keys.filter((part) => part.length >= minKeyLength),
  ]
}
