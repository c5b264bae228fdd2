type Issue = Readonly<{ path: (string | number)[]; message: string }>

type Chains = Readonly<{
  chains: readonly Readonly<{
    rpcUrls: readonly string[]
    sendUrls?: readonly string[] | undefined
    wsUrl?: string | undefined
  }>[]
}>

/** @param canLack whether chains may be without `rpcUrls`: true for a process that reads its market from a feed. */
export function endpointIssues({ chains }: Chains, canLack: boolean): readonly Issue[] {
  return chains.flatMap(({ rpcUrls, sendUrls, wsUrl }, at) => {
    if (rpcUrls.length > 0) return []
    if (!canLack)
      return [
        {
          path: ['chains', at, 'rpcUrls'],
          message:
            'is missing: only a process with ROLES=gateway and MARKET_SOURCE=feed can do without endpoints',
        },
      ]
    const useless = Object.entries({ sendUrls, wsUrl }).filter(([, given]) => given !== undefined)
    return useless.map(([name]) => ({ path: ['chains', at, name], message: 'needs rpcUrls' }))
  })
}
