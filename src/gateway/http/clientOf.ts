import type { IncomingHttpHeaders } from 'node:http'
import { isIPv4, isIPv6 } from 'node:net'
import type { Client } from '#src/service/callers.ts'

/** What tells where a request comes from. */
type Sender = Readonly<{
  headers: IncomingHttpHeaders
  socket: Readonly<{ remoteAddress?: string | undefined }>
}>

/**
 * The sender of a request. Its network address is that of the connection, or behind `proxies` reverse proxies the
 * address that the outermost proxy wrote to `X-Forwarded-For`. Entries left of that one come from the client and are
 * ignored.
 */
export function clientOf({ headers, socket }: Sender, proxies: number): Client {
  const forwarded = proxies === 0 ? [] : (headers['x-forwarded-for']?.toString() ?? '').split(',')
  const hops = [...forwarded.map((each) => each.trim()).filter(Boolean), socket.remoteAddress ?? '']
  const address = hops[Math.max(0, hops.length - 1 - proxies)] ?? ''
  return { apiKey: headers['x-api-key']?.toString(), network: networkOf(address) }
}

/** The network that one client controls: an IPv4 address, or the first 64 bits of an IPv6 address. */
function networkOf(address: string): string {
  const mapped = address.replace(/^::ffff:(?=\d+\.)/i, '')
  if (isIPv4(mapped)) return mapped
  if (!isIPv6(mapped)) return 'unknown'
  const [head = '', tail] = mapped.toLowerCase().split('%', 1).join('').split('::')
  const groups = head === '' ? [] : head.split(':')
  const last = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: Math.max(0, 8 - groups.length - last.length) }, () => '0')
  const whole = [...groups, ...(tail === undefined ? [] : zeros), ...last]
  return `${whole
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}
