import { type Hex, numberToHex } from 'viem'
import type { Authorization } from '#src/core/units/authorization.ts'

/** An authorization as a JSON-RPC parameter, for example of `eth_call`: quantities have no leading zeros. */
type RpcAuthorization = Readonly<
  Record<'chainId' | 'address' | 'nonce' | 'yParity' | 'r' | 's', Hex>
>

export const toRpcAuthorization = ({
  chainId,
  address,
  nonce,
  yParity,
  r,
  s,
}: Omit<Authorization, 'authority'>): RpcAuthorization => ({
  chainId: numberToHex(chainId),
  address,
  nonce: numberToHex(nonce),
  yParity: numberToHex(yParity),
  r: numberToHex(BigInt(r)),
  s: numberToHex(BigInt(s)),
})
