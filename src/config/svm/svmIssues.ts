import type { Issue } from '#src/config/configIssues.ts'
import type { Account } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { isNative } from '#src/core/units/currency.ts'
import type { SvmChainConfig } from './svmChain.ts'

type Named = Readonly<{ chainId: ChainId; path: (string | number)[]; account: Account }>

type Parts = Readonly<{
  chains: readonly Readonly<{ id: ChainId }>[]
  svmChains: readonly SvmChainConfig[]
  assets: readonly Readonly<{
    symbol: string
    currencies: readonly Readonly<{ chainId: ChainId; address: Account }>[]
  }>[]
  solver: Readonly<{
    targets: readonly Readonly<{ chainId: ChainId; currency: Account }>[]
    svm?: unknown
  }>
}>

/**
 * Accounts in the form of the other virtual machine, Solana currencies that nothing prices, and a program without an
 * account of the solver.
 */
export const svmIssues = (config: Parts): readonly Issue[] => [
  ...formIssues(config),
  ...feedIssues(config),
  ...solverIssues(config),
]

function formIssues({ svmChains, assets, solver }: Parts): readonly Issue[] {
  const ids = new Set(svmChains.map(({ id }) => id))
  const named: readonly Named[] = [
    ...assets.flatMap(({ currencies }, at) =>
      currencies.map(({ chainId, address }, place) => ({
        chainId,
        path: ['assets', at, 'currencies', place, 'address'],
        account: address,
      })),
    ),
    ...solver.targets.map(({ chainId, currency }, at) => ({
      chainId,
      path: ['solver', 'targets', at, 'currency'],
      account: currency,
    })),
  ]
  return named.flatMap(({ chainId, path, account }) => {
    const isHex = account.startsWith('0x')
    if (isHex !== ids.has(chainId)) return []
    const form = isHex ? '32 bytes in base58' : '0x and 40 hexadecimal digits'
    return [{ path, message: `an account on chain ${chainId} is ${form}` }]
  })
}

/** The native currency and bridged ones need a feed: there are no pools to price them. */
function feedIssues({ chains, svmChains, assets }: Parts): readonly Issue[] {
  const evmIds = new Set(chains.map(({ id }) => id))
  return svmChains.flatMap(({ id, priceFeeds }, at) => {
    const path = ['svmChains', at, 'priceFeeds']
    const fed = new Set<Account>(priceFeeds.map(({ currency }) => currency))
    const unfed = assets.flatMap(({ symbol, currencies }) =>
      currencies
        .filter(({ chainId, address }) => chainId === id && !isNative(address) && !fed.has(address))
        .map(({ address }) => ({
          path,
          message: `${symbol} (${address}) is bridged and has no feed: add one`,
        })),
    )
    const misplaced = priceFeeds.flatMap(({ chainId }, place) =>
      evmIds.has(chainId)
        ? []
        : [
            {
              path: [...path, place, 'chainId'],
              message: `chain ${chainId} is not a configured EVM chain`,
            },
          ],
    )
    const hasNative = [...fed].some(isNative)
    return [
      ...(hasNative ? [] : [{ path, message: 'the native currency has no feed: add one' }]),
      ...unfed,
      ...misplaced,
    ]
  })
}

const solverIssues = ({ svmChains, solver }: Parts): readonly Issue[] =>
  solver.svm === undefined && svmChains.some(({ program }) => program !== undefined)
    ? [
        {
          path: ['solver', 'svm'],
          message: 'is missing: a chain with a program needs the solver’s account',
        },
      ]
    : []
