import { encodeFunctionData, parseAbi } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { isCallError } from '#src/chains/read/callContracts.ts'
import { readAuthority } from '#src/chains/read/readAuthority.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { toRpcAuthorization } from '#src/chains/rpc/rpcAuthorization.ts'
import { RpcRefusedError } from '#src/chains/rpc/rpcError.ts'
import { type Address, toAddress } from '#src/core/units/address.ts'
import type { AuthorityState } from '#src/core/units/authorization.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { GatedAsk } from './gatedAsk.ts'

/** Reads for quotes with EIP-7702 authorizations. */
export type Authorities = Readonly<{
  /**
   * Whether the chain applies authorizations and its nodes simulate them. A positive answer is cached forever.
   * @throws AppError RPC_HTTP_ERROR if no node answers; OVERLOADED.
   */
  supportsAuthorizations: (chainId: ChainId) => Promise<boolean>
  /**
   * The states of the accounts in the newest block, in the same order.
   * @throws AppError as `supportsAuthorizations`.
   */
  readAuthorities: (
    chainId: ChainId,
    accounts: readonly Address[],
  ) => Promise<readonly AuthorityState[]>
}>

const chainIdCall = encodeFunctionData({
  abi: parseAbi(['function getChainId() view returns (uint256)']),
})

export function createAuthorities(ask: GatedAsk): Authorities {
  const supporting = new Set<ChainId>()

  return {
    supportsAuthorizations: async (chainId) => {
      if (supporting.has(chainId)) return true
      const applies = await ask(chainId, 'reads', simulateDelegation)
      if (applies) supporting.add(chainId)
      return applies
    },
    readAuthorities: (chainId, accounts) =>
      ask(chainId, 'reads', (client) =>
        Promise.all(accounts.map((account) => readAuthority(client, account))),
      ),
  }
}

/** Calls an account that nobody uses, with an authorization that gives it the code of Multicall3. Nothing is sent. */
async function simulateDelegation(client: ChainClient, signal: AbortSignal): Promise<boolean> {
  const { chain } = client
  const account = privateKeyToAccount(generatePrivateKey())
  const address = toAddress(chain.contracts.multicall3.address)
  const {
    r,
    s,
    yParity = 0,
  } = await account.signAuthorization({
    chainId: chain.id,
    nonce: 0,
    contractAddress: address,
  })
  const signed = { chainId: chain.id, nonce: 0, address, r, s, yParity }
  const call = {
    to: account.address,
    data: chainIdCall,
    authorizationList: [toRpcAuthorization(signed)],
  }
  const request = { method: 'eth_call', params: [call, 'latest'] }
  try {
    const returned = await client.ask(request, (answer) => String(answer), signal)
    return (
      returned !== undefined && /^0x[0-9a-f]{64}$/i.test(returned) && Number(returned) === chain.id
    )
  } catch (error) {
    // Nodes without EIP-7702 refuse the field or the transaction type.
    if (isCallError(error) || error instanceof RpcRefusedError) return false
    throw error
  }
}
