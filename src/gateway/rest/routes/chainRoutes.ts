import { z } from 'zod'
import type { Currency } from '#src/core/units/currency.ts'
import { usdValueDown } from '#src/core/units/usd.ts'
import type { Catalogue } from '#src/gateway/exampleOrders.ts'
import { formatAmountUsd } from '#src/gateway/formatValues.ts'
import { addressText, amountText, component, usdText } from '#src/gateway/rest/bodies/bodySchema.ts'
import { namedFields } from '#src/gateway/rest/bodies/currencyBody.ts'
import {
  chainIdParameter,
  parameterText,
  referrerParameter,
  requireChain,
} from '#src/gateway/rest/queryParameters.ts'
import { restRoute } from '#src/gateway/rest/restRoute.ts'
import type { ChainSummary } from '#src/service/chains.ts'
import type { Service } from '#src/service/service.ts'

const liquidityBody = component(
  'Liquidity',
  z
    .object({
      liquidity: z
        .array(
          z.object({
            chainId: z.int().positive().describe('EIP-155 id of its chain.'),
            currencyId: z.string().describe('Symbol in lower case.'),
            symbol: namedFields.symbol,
            address: namedFields.address,
            decimals: namedFields.decimals,
            balance: amountText.describe('The solver’s balance, in the smallest unit.'),
            amountUsd: usdText
              .optional()
              .describe('Value of the balance in US dollars; absent without a price.'),
          }),
        )
        .describe('The currencies that the solver pays out on the chain.'),
    })
    .describe('The solver’s balances on a chain.'),
)

const firstChain = (operations: Catalogue) => ({
  chainId: operations.chains()[0]?.id,
})

export const liquidityRoute = restRoute({
  path: '/chains/liquidity',
  method: 'GET',
  operation: 'liquidity',
  summary: 'Balances of the solver',
  description:
    'Balances of the currencies that the solver pays out on a chain, at the chain’s newest known block.',
  input: z.strictObject({
    chainId: chainIdParameter.describe('EIP-155 id of the chain.'),
    referrer: referrerParameter,
  }),
  body: liquidityBody,
  takesApiKey: false,
  example: firstChain,
  answer({ chainId }, { operations }) {
    const chain = requireChain(operations, chainId)
    return { liquidity: chain.solverCurrencies.map((held) => encodeHeld(operations, chain, held)) }
  },
})

function encodeHeld(
  operations: Service,
  { id: chainId, head }: ChainSummary,
  { currency, balance }: ChainSummary['solverCurrencies'][number],
) {
  const { symbol, address, decimals } = currency
  const price = head && operations.usdPrice(chainId, address)
  const usd = price && (balance === 0n ? '0' : usdValueDown(balance, decimals, price))
  return {
    chainId,
    currencyId: symbol.toLowerCase(),
    symbol,
    address,
    decimals,
    balance: balance.toString(),
    amountUsd: usd && formatAmountUsd(usd),
  }
}

const healthBody = component(
  'ChainHealth',
  z
    .object({
      healthy: z.boolean().describe('Whether prices are computed from a current block.'),
    })
    .describe('The health of a chain, or of all chains together.'),
)

export const healthRoute = restRoute({
  path: '/chains/health',
  method: 'GET',
  operation: 'chainHealth',
  summary: 'Health of a chain',
  description:
    'Whether prices on the chain are computed from a current block. The chain is not healthy before its first block is known; while its newest block is older than the configured `maxMarketAgeSeconds`, or too far in the future; while its market feed is silent; and while its sequencer is down or has just come back.',
  input: z.strictObject({
    chainId: chainIdParameter.optional().describe('EIP-155 id of the chain. Default: all chains.'),
    referrer: referrerParameter,
  }),
  body: healthBody,
  takesApiKey: false,
  example: firstChain,
  answer({ chainId }, { operations }) {
    const ids = chainId === undefined ? operations.chains().map(({ id }) => id) : [chainId]
    return { healthy: ids.every((id) => operations.isHealthy(id)) }
  },
})

const named = { id: z.string().describe('Symbol in lower case.'), ...namedFields }

const supportsBridging = z
  .boolean()
  .describe(
    'Whether the solver bridges it: accepts it on this chain, or pays it out on this chain.',
  )

const chainCurrencyBody = z.object({ ...named, supportsBridging })
const featuredTokenBody = z.object({
  ...named,
  supportsBridging,
  metadata: z
    .object({
      logoURI: z.string().optional().describe('URL of its logo; absent if there is none.'),
    })
    .describe('Logo of the currency.'),
})
const erc20CurrencyBody = z.object({
  ...named,
  supportsBridging,
  supportsPermit: z
    .boolean()
    .describe(
      'Whether users can pay with it by signatures alone (`usePermit`): by EIP-3009, or by EIP-2612 and Permit2. Any other currency needs one approval of Permit2 first.',
    ),
})

const contractsBody = z.object({
  multicall3: addressText
    .optional()
    .describe('The Multicall3 contract; absent on an svm chain, which has none.'),
  depository: addressText
    .optional()
    .describe('The depository: receives deposits. On an svm chain a program.'),
  router: addressText.optional().describe('The router: executes swaps and destination calls.'),
  erc20Router: addressText.optional().describe('The older name of `router`.'),
  approvalProxy: addressText
    .optional()
    .describe('The spender that users approve for swaps of ERC-20s.'),
  depositAddressFactory: addressText
    .optional()
    .describe('The factory of deposit addresses; absent if the chain has none.'),
})

const chainBody = component(
  'Chain',
  z.object({
    id: z.int().positive(),
    name: z.string(),
    displayName: z.string(),
    httpRpcUrl: z.string().describe('Public JSON-RPC URL for wallets; empty without one.'),
    wsRpcUrl: z.string().describe('Public JSON-RPC URL over WebSocket; empty without one.'),
    explorerUrl: z.string().optional(),
    iconUrl: z.string().optional(),
    depositEnabled: z
      .boolean()
      .describe(
        'Whether quotes from and to this chain can be executed: the chain is enabled and has the gateway’s contracts.',
      ),
    disabled: z.boolean(),
    tokenSupport: z
      .literal('All')
      .describe('Always `All`: every currency with a pool can be swapped.'),
    currency: chainCurrencyBody.describe('The native currency, which pays for gas.'),
    featuredTokens: z
      .array(featuredTokenBody)
      .describe('The native currency and the currencies that the solver pays out.'),
    erc20Currencies: z
      .array(erc20CurrencyBody)
      .describe('The ERC-20 currencies of the token lists.'),
    solverCurrencies: z.array(z.object(named)).describe('The currencies that the solver pays out.'),
    vmType: z.enum(['evm', 'svm']).describe('The virtual machine of the chain.'),
    contracts: contractsBody.describe(
      'Contracts that transactions call. The gateway’s own contracts are absent if they are not deployed.',
    ),
    protocol: z
      .object({
        v2: z
          .object({
            chainId: z.string().describe('The chain’s name, which orders use as its id.'),
            depository: addressText.describe('The contract that receives deposits.'),
          })
          .describe('Version 2 of the protocol.'),
      })
      .optional()
      .describe('Target of deposits; absent if the gateway’s contracts are not deployed.'),
  }),
)

/** `listed` are the verified currencies of the chain. */
function encodeChain(
  chain: ChainSummary,
  listed: readonly Currency[],
  supportsPermit: (currency: Currency) => boolean,
): z.input<typeof chainBody> {
  const { contracts, multicall3, name, nativeCurrency } = chain
  const paidOut = chain.solverCurrencies.map(({ currency }) => currency)
  const bridged = new Set(paidOut.map(({ address }) => address))
  const bridgingOf = ({ address }: Currency) => ({ supportsBridging: bridged.has(address) })
  const featured = [nativeCurrency, ...paidOut.filter(({ metadata }) => !metadata.isNative)]
  return {
    id: chain.id,
    name,
    displayName: chain.displayName,
    httpRpcUrl: chain.publicRpcUrl ?? '',
    wsRpcUrl: chain.publicWsUrl ?? '',
    explorerUrl: chain.explorerUrl,
    iconUrl: chain.iconUrl,
    depositEnabled: contracts !== undefined && !chain.disabled,
    disabled: chain.disabled,
    tokenSupport: 'All',
    currency: { ...encodeNamed(nativeCurrency), ...bridgingOf(nativeCurrency) },
    featuredTokens: featured.map((currency) => ({
      ...encodeNamed(currency),
      ...bridgingOf(currency),
      metadata: { logoURI: currency.metadata.logoURI },
    })),
    erc20Currencies: listed
      .filter(({ metadata }) => !metadata.isNative)
      .map((currency) => ({
        ...encodeNamed(currency),
        ...bridgingOf(currency),
        supportsPermit: supportsPermit(currency),
      })),
    solverCurrencies: paidOut.map(encodeNamed),
    vmType: chain.vmType,
    contracts: { multicall3, ...contracts, erc20Router: contracts?.router },
    protocol: contracts && { v2: { chainId: name, depository: contracts.depository } },
  }
}

const encodeNamed = ({ symbol, name, address, decimals }: Currency) => ({
  id: symbol.toLowerCase(),
  symbol,
  name,
  address,
  decimals,
})

const chainsBody = component(
  'Chains',
  z
    .object({
      chains: z.array(chainBody).describe('All chains, in the order of the configuration.'),
    })
    .describe('The configured chains.'),
)

export const chainsRoute = restRoute({
  path: '/chains',
  method: 'GET',
  operation: 'chains',
  summary: 'Configured chains',
  description: 'All configured chains with their currencies and contracts.',
  input: z.strictObject({
    includeChains: parameterText()
      .max(512, 'At most 512 characters')
      .optional()
      .describe(
        'Chain ids, separated by commas. Not used: all chains are listed. At most 512 characters.',
      ),
    referrer: referrerParameter,
  }),
  body: chainsBody,
  takesApiKey: false,
  maxAgeSeconds: 10,
  example: () => undefined,
  answer(_, { operations }) {
    const listed = Map.groupBy(operations.currencies({ verified: true }), ({ chainId }) => chainId)
    const supportsPermit = ({ chainId, address }: Currency) =>
      operations.supportsPermit(chainId, address) ?? false
    return {
      chains: operations
        .chains()
        .map((chain) => encodeChain(chain, listed.get(chain.id) ?? [], supportsPermit)),
    }
  },
})

const swapSourcesBody = component(
  'SwapSources',
  z
    .object({
      sources: z.array(z.string()).describe('Names, without duplicates, in alphabetical order.'),
    })
    .describe(
      'Names for the fields of quotes that include or exclude swap sources, such as `includedSwapSources`.',
    ),
)

export const swapSourcesRoute = restRoute({
  path: '/swap-sources',
  method: 'GET',
  operation: 'swapSources',
  summary: 'Swap sources',
  description: 'Names of the AMM deployments that routes can use.',
  input: z.strictObject({
    chainId: chainIdParameter
      .optional()
      .describe('Only sources of this chain. Default: all chains.'),
    referrer: referrerParameter,
  }),
  body: swapSourcesBody,
  takesApiKey: false,
  maxAgeSeconds: 60,
  example: (operations) => ({ chainId: operations.chains()[0]?.id }),
  answer({ chainId }, { operations }) {
    const chains = chainId === undefined ? operations.chains() : [requireChain(operations, chainId)]
    return { sources: [...new Set(chains.flatMap(({ swapSources }) => swapSources))].sort() }
  },
})
