import type { Config } from '#src/config/config.ts'
import type { Market } from '#src/core/pricing/market.ts'
import { evmAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Markets } from '#src/market/markets.ts'
import { createSvmReads } from '#src/market/svm/svmReads.ts'
import type { ProtocolContracts } from '#src/protocol/contracts/protocolContracts.ts'
import type { QuotedPrice } from '#src/protocol/order/quotedPrice.ts'
import type { AddressStore } from '#src/requests/addressStore.ts'
import type { QuoteStore } from '#src/requests/requestStore.ts'
import { createAddressLimits } from '#src/service/limits/addressLimits.ts'
import { createOpenQuotes } from '#src/service/limits/openQuotes.ts'
import { prepareQuote } from '#src/service/quote/prepareQuote.ts'
import { createRandomHash } from '#src/service/quote/randomHash.ts'
import type { RequestTerms } from '#src/service/quote/toQuotedRequest.ts'

type Deps = Readonly<{
  config: Config
  market: Markets
  store: QuoteStore & AddressStore
  contractsOn: (chainId: ChainId) => ProtocolContracts
}>

type Terms = Omit<RequestTerms, 'caller' | 'createdAt' | 'quota'> &
  Partial<Pick<RequestTerms, 'caller'>>

const client = { apiKey: undefined, network: '127.0.0.1' }

/** Returns a function that quotes and stores an order, like the gateway, and returns its request id. */
export function createQuoting({ config, market, store, contractsOn }: Deps) {
  const randomHash = createRandomHash()
  return async (priced: QuotedPrice, seen: Market, terms: Terms): Promise<string> => {
    const balances = market.balanceLoader()
    const { requestId } = await prepareQuote(
      {
        programs: new Map(),
        contracts: new Map(config.chains.map(({ id }) => [id, contractsOn(id)])),
        solver: config.solver.address,
        identity: config.solver.identity ?? config.solver.address,
        simulator: market.simulator,
        svm: createSvmReads(new Map()),
        contractKinds: market.contractKinds,
        permits: market.permits,
        store: store.put,
        addressLimits: createAddressLimits({ requests: store, now: Date.now }),
        openQuotes: createOpenQuotes({ count: store.countOpenQuotes, now: Date.now }),
        maxOpenQuotes: config.maxOpenQuotes,
        randomHash,
      },
      {
        priced,
        market: seen,
        payees: [],
        caller: undefined,
        ...terms,
        client,
        createdAt: Date.now(),
      },
      {
        currency: async () => undefined,
        balance: async () => toAmount(0n),
        allowance: ({ currency: { chainId, address: currency }, account, spender }) => {
          const blockHash = seen.chains.get(chainId)?.block.hash
          if (blockHash === undefined) throw new Error(`The market lacks ${chainId}`)
          return balances.load({
            account: evmAddress(account),
            spender: evmAddress(spender),
            chainId,
            currency: evmAddress(currency),
            blockHash,
          })
        },
        request: async () => undefined,
        quotedRequest: async () => undefined,
      },
    )
    return requestId
  }
}
