import { z } from 'zod'
import { usdValueDown } from '#src/core/units/usd.ts'
import type { Catalogue } from '#src/gateway/exampleOrders.ts'
import { formatAmountUsd } from '#src/gateway/formatValues.ts'
import { amountText, component, usdText } from '#src/gateway/rest/bodies/bodySchema.ts'
import { namedFields } from '#src/gateway/rest/bodies/currencyBody.ts'
import {
  chainIdParameter,
  referrerParameter,
  requireChain,
} from '#src/gateway/rest/queryParameters.ts'
import { restRoute } from '#src/gateway/rest/restRoute.ts'
import type { ChainSummary } from '#src/service/chainSummary.ts'
import type { Operations } from '#src/service/operations.ts'

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
  operations: Operations,
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
