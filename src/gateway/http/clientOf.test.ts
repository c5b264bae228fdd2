import { expect, it } from 'vitest'
import { clientOf } from './clientOf.ts'

const networkOf = (remoteAddress: string | undefined, forwarded?: string, proxies = 0) =>
  clientOf(
    {
      headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
      socket: { remoteAddress },
    },
    proxies,
  ).network

it('is the address of the connection, for any header of the client, unless proxies are configured', () => {
  expect(networkOf('198.51.100.7', '203.0.113.1')).toBe('198.51.100.7')
  expect(networkOf('::ffff:198.51.100.7')).toBe('198.51.100.7')
  expect(networkOf(undefined)).toBe('unknown')
})

it('behind proxies is the address that the outermost proxy saw', () => {
  const spoofed = '1.1.1.1, 203.0.113.1'
  expect(networkOf('10.0.0.1', spoofed, 1)).toBe('203.0.113.1')
  expect(networkOf('10.0.0.1', `${spoofed}, 10.0.0.2`, 2)).toBe('203.0.113.1')
  // A request that passed fewer proxies than configured.
  expect(networkOf('10.0.0.1', undefined, 1)).toBe('10.0.0.1')
  expect(networkOf('10.0.0.1', '203.0.113.1', 2)).toBe('203.0.113.1')
  expect(networkOf('10.0.0.1', 'nonsense', 1)).toBe('unknown')
})

it('is one for all addresses that an IPv6 client may choose from', () => {
  const same = ['2001:db8:0:7::1', '2001:0DB8:0000:0007:ffff:1:2:3', '2001:db8:0:7:1:2:1.2.3.4']
  for (const address of same) expect(networkOf(address)).toBe('2001:db8:0:7::/64')
  expect(networkOf('2001:db8::1')).toBe('2001:db8:0:0::/64')
  expect(networkOf('::1')).toBe('0:0:0:0::/64')
  expect(networkOf('fe80::1%eth0')).toBe('fe80:0:0:0::/64')
  expect(networkOf('1:2:3:4:5:6:7::')).toBe('1:2:3:4::/64')
})

it('has the API key of the header', () => {
  const headers = { 'x-api-key': 'a key' }
  expect(clientOf({ headers, socket: {} }, 0).apiKey).toBe('a key')
})
