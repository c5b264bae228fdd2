import { z } from 'zod'
import type { ChainSummary } from '#src/operations/operations.ts'
import type { Currency } from '#src/units/currency.ts'
import { component } from './bodySchema.ts'
import { namedFields } from './currencyBody.ts'
import { addressText } from './texts.ts'

const named = { id: z.string().describe('The symbol in lower case.'), ...namedFields }

const supportsBridging = z
  .boolean()
  .describe('Whether the solver takes it here and pays it out elsewhere, or the other way round.')

const chainCurrencyBody = z.object({ ...named, supportsBridging })
const featuredTokenBody = z.object({
  ...named,
  supportsBridging,
  metadata: z
    .object({
      logoURI: z
        .string()
        .optional()
        .describe('Address of its logo; absent where no token list names one.'),
    })
    .describe('What is known of it beside its contract.'),
})
const erc20CurrencyBody = z.object({
  ...named,
  supportsBridging,
  supportsPermit: z
    .boolean()
    .describe('Whether deposits by permit are taken in it: in none, so far.'),
})

const contractsBody = z.object({
  multicall3: addressText.describe('Multicall3.'),
  depository: addressText.optional().describe('Takes deposits.'),
  router: addressText.optional().describe('Swaps.'),
  erc20Router: addressText
    .optional()
    .describe('The same as `router`, as clients of older services call it.'),
  approvalProxy: addressText.optional().describe('What users approve for swaps.'),
})

export const chainBody = component(
  'Chain',
  z.object({
    id: z.int().positive(),
    name: z.string(),
    displayName: z.string(),
    httpRpcUrl: z.string().describe('An RPC endpoint for wallets; empty where none is public.'),
    wsRpcUrl: z.string().describe('The same by WebSocket; empty where none is public.'),
    explorerUrl: z.string().optional(),
    iconUrl: z.string().optional(),
    depositEnabled: z
      .boolean()
      .describe('Whether quotes from and to this chain can be executed: it has our contracts.'),
    disabled: z.boolean(),
    tokenSupport: z.literal('All').describe('Any currency that pools trade will do.'),
    currency: chainCurrencyBody.describe('The native currency, in which gas is paid.'),
    featuredTokens: z
      .array(featuredTokenBody)
      .describe('The native currency, and what the solver pays out.'),
    erc20Currencies: z
      .array(erc20CurrencyBody)
      .describe('The ERC-20 currencies that a token list vouches for.'),
    solverCurrencies: z.array(z.object(named)).describe('What the solver pays out.'),
    vmType: z.literal('evm').describe('The kind of chain it is.'),
    contracts: contractsBody.describe('What transactions go to; ours where it has them.'),
    protocol: z
      .object({
        v2: z
          .object({
            chainId: z.string().describe('The chain’s name, as orders write it.'),
            depository: addressText.describe('Takes deposits.'),
          })
          .describe('The protocol’s second version.'),
      })
      .optional()
      .describe('Where deposits go; absent where the chain has none of our contracts.'),
  }),
)

/** `listed` are the currencies of the chain that a token list vouches for. */
export function encodeChain(
  chain: ChainSummary,
  listed: readonly Currency[],
): z.input<typeof chainBody> {
  const { contracts, multicall3, name, nativeCurrency } = chain
  const paidOut = chain.solverCurrencies.map(({ currency }) => currency)
  const bridged = new Set(paidOut.map(({ address }) => address))
  const bridging = ({ address }: Currency) => ({ supportsBridging: bridged.has(address) })
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
    currency: { ...encodeNamed(nativeCurrency), ...bridging(nativeCurrency) },
    featuredTokens: featured.map((currency) => ({
      ...encodeNamed(currency),
      ...bridging(currency),
      metadata: { logoURI: currency.metadata.logoURI },
    })),
    erc20Currencies: listed
      .filter(({ metadata }) => !metadata.isNative)
      .map((currency) => ({
        ...encodeNamed(currency),
        ...bridging(currency),
        supportsPermit: false,
      })),
    solverCurrencies: paidOut.map(encodeNamed),
    vmType: 'evm',
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
