/**
 * An injected wallet (EIP-1193) over the accounts that the devnet's nodes hold the keys of. It asks the node of the
 * active chain for everything that a wallet does not know itself.
 */
export function createWalletProvider(account, chains) {
  let [active] = chains
  const ask = async (method, params = []) => {
    const answer = await fetch(active.httpRpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const { result, error } = await answer.json()
    if (error) throw Object.assign(new Error(error.message), { code: error.code })
    return result
  }
  const own = {
    eth_accounts: async () => [account],
    eth_requestAccounts: async () => [account],
    eth_chainId: async () => `0x${active.id.toString(16)}`,
    wallet_getCapabilities: async () => ({}),
    wallet_switchEthereumChain: async ([{ chainId }]) => {
      const wanted = chains.find(({ id }) => id === Number(chainId))
      if (wanted === undefined) throw Object.assign(new Error('Unknown chain'), { code: 4902 })
      active = wanted
      return null
    },
  }
  return { request: ({ method, params }) => own[method]?.(params) ?? ask(method, params) }
}
