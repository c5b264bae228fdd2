import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { type Hex, keccak256 } from 'viem'
import { privateKeyToAccount, sign } from 'viem/accounts'
import { listenLocally } from '#test/support/nodes/listenLocally.ts'

/** A fixed answer to requests for a signature. */
type Fault = (signature: Hex) => Readonly<{ status: number; text: string }>

/**
 * A remote signer with the HTTP API of Web3Signer in eth1 mode, for the given keys. It hashes the data that it signs.
 */
export async function startWeb3Signer(keys: readonly Readonly<{ privateKey: Hex }>[]) {
  const held = keys.map(({ privateKey }) => ({
    privateKey,
    // The published API lists keys without the prefix of an uncompressed point.
    publicKey: `0x${privateKeyToAccount(privateKey).publicKey.slice(4)}`,
  }))
  let fault: Fault | undefined
  const server = createServer(async (request, response) => {
    const reply = (status: number, text: string) => response.writeHead(status).end(text)
    const [, identifier] = /^\/api\/v1\/eth1\/sign\/(.*)$/.exec(request.url ?? '') ?? []
    if (request.url === '/api/v1/eth1/publicKeys')
      return reply(200, JSON.stringify(held.map(({ publicKey }) => publicKey)))
    const { data } = (await json(request)) as { data: Hex }
    const key = held.find(({ publicKey }) => publicKey === identifier)
    if (key === undefined) return reply(404, 'Signer not found')
    const signature = await sign({ hash: keccak256(data), privateKey: key.privateKey, to: 'hex' })
    if (fault === undefined) return reply(200, signature)
    const { status, text } = fault(signature)
    return reply(status, text)
  })
  const { url, stop } = await listenLocally(server)
  return {
    url,
    /** Sets the answer to later requests. Undefined: the signer signs again. */
    fail: (next: Fault | undefined) => {
      fault = next
    },
    stop,
  }
}
