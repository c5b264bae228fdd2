/** @import { Chain } from '#src/page/api/answers.ts' */

const loopback = /^http:\/\/(localhost|\[::1\]|127(\.\d+){3})(:\d+)?(\/|$)/

/**
 * Whether the node of a chain runs on this machine. The page asks no other nodes.
 * @param {Chain} chain
 */
export const hasLocalNode = ({ rpcUrl }) => rpcUrl !== null && loopback.test(rpcUrl)

/**
 * Calls a method of a chain's node.
 * @param {Pick<Chain, 'rpcUrl'>} chain
 * @param {string} method
 * @param {readonly unknown[]} params
 * @returns {Promise<any>}
 */
export async function callNode({ rpcUrl }, method, params = []) {
  const response = await fetch(rpcUrl ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result, error } = await response.json()
  if (error !== undefined) throw new Error(`The node refused: ${error.message}`)
  return result
}
