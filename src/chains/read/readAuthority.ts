import { type Hex, numberToHex } from 'viem'
import type { Rpc } from '#src/chains/rpc/chainClient.ts'
import { bytes, parse } from '#src/chains/rpc/rpcAnswer.ts'
import type { Address } from '#src/core/units/address.ts'
import type { AuthorityState, Authorization } from '#src/core/units/authorization.ts'
import { countAt } from './readTransaction.ts'

/** The nonce and the code of an account in the newest block. They decide if its authorizations apply. */
export async function readAuthority(client: Rpc, account: Address): Promise<AuthorityState> {
  const [nonce, code] = await Promise.all([
    countAt(client, account, 'latest'),
    readCode(client, account),
  ])
  return { nonce, code }
}

/** The code of an account in the newest block. */
export async function readCode({ ask }: Rpc, account: Address): Promise<Hex> {
  const request = { method: 'eth_getCode', params: [account, 'latest'] }
  const code = await ask(request, (answer): Hex => parse(bytes, answer))
  if (code === undefined) throw new Error('eth_getCode has no answer')
  return code
}

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
