import type { OrderDeps } from '#src/operations/readOrder.ts'
import { toChainId } from '#src/units/chainId.ts'
import { address, ether, otherEther, otherUsdc, usdc } from './cannedCurrencies.ts'
import { market } from './fixtures/markets.ts'

/** It takes no orders. */
export const disabledChain = toChainId(990003)

const currencies = [ether, usdc, otherEther, otherUsdc]

/** Two chains with two currencies each, with a router at c0 and c1, and a chain that is disabled. */
export const orderDeps: OrderDeps = {
  chains: new Map(
    [ether.chainId, otherEther.chainId, disabledChain].map((id) => [
      id,
      { id, disabled: id === disabledChain },
    ]),
  ),
  contracts: new Map(
    [ether, otherEther].map(({ chainId }, at) => [
      chainId,
      { depository: address('e1'), router: address(`c${at}`), approvalProxy: address('e3') },
    ]),
  ),
  knownCurrency: (chainId, at) =>
    currencies.find((each) => each.chainId === chainId && each.address === at),
  snapshot: () => market,
  swapSources: new Map(),
}
