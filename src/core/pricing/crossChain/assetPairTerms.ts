import type { Order, SwapSourceFilter } from '#src/core/pricing/order.ts'

/** The fields of an order that determine its asset pairs: all except its amount, accounts and tolerances. */
export type AssetPairTerms = Pick<
  Order,
  | 'origin'
  | 'destination'
  | 'tradeType'
  | 'appFees'
  | 'explicitDeposit'
  | 'useDepositAddress'
  | 'permit'
  | 'disableOriginSwaps'
  | 'fixedRate'
  | 'topup'
  | 'sponsorship'
  | 'maxRouteLength'
  | 'swapSources'
  | 'txs'
  | 'txsGasLimit'
  | 'authorizationList'
>

/**
 * The key of the terms in a cache: equal keys mean equal terms. `undefined` for terms that rarely recur: those with
 * filters of swap sources or with destination calls.
 */
export function keyOf(terms: AssetPairTerms): string | undefined {
  const { txs, txsGasLimit, authorizationList, swapSources, permit, sponsorship } = terms
  const isPlain =
    txs.length === 0 &&
    txsGasLimit === undefined &&
    authorizationList === undefined &&
    isOpen(swapSources.origin) &&
    isOpen(swapSources.destination)
  if (!isPlain) return undefined
  const { origin, destination, tradeType, appFees, fixedRate, topup, maxRouteLength } = terms
  const { explicitDeposit, useDepositAddress, disableOriginSwaps } = terms
  const ends = `${origin.address} ${destination.address} ${tradeType}`
  const deposit = `${explicitDeposit} ${useDepositAddress} ${disableOriginSwaps} ${permit?.kind} ${permit?.payer}`
  const payer = sponsorship === undefined ? 'user' : `sponsor ${sponsorship.maxUsd}`
  const fees = `${appFees.map(({ fee }) => fee)} ${fixedRate} ${topup} ${payer}`
  return `${ends} ${deposit} ${fees} ${maxRouteLength}`
}

const isOpen = ({ included, excluded }: SwapSourceFilter): boolean =>
  included === undefined && excluded.size === 0
