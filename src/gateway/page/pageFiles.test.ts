import { expect, it } from 'vitest'
import { contentPolicy } from './pageFiles.ts'

const sourcesOf = (directive: string, rpcUrls: readonly (string | undefined)[]) =>
  contentPolicy('<script>{}</script>', rpcUrls)
    .split('; ')
    .find((each) => each.startsWith(directive))

it('lets the page connect to nodes on the loopback interface, and to no other node', () => {
  const local = ['http://127.0.0.1:18545', 'http://localhost:8545/path', 'http://[::1]:1']
  const other = ['https://rpc.example.org', 'http://127.0.0.1.example.org', 'http://10.0.0.1']
  expect(sourcesOf('connect-src', [...local, ...local, ...other, undefined])).toBe(
    "connect-src 'self' http://127.0.0.1:18545 http://localhost:8545 http://[::1]:1",
  )
})

it('allows the inline script by its hash alone', () => {
  expect(sourcesOf('script-src', [])).toBe(
    // The SHA-256 of {}, in base64.
    "script-src 'self' 'sha256-RBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4o='",
  )
})
