import type { Usd } from '#src/core/units/usd.ts'

type Bounded = Readonly<{
  chains: readonly Readonly<{
    minPoolUsd: Usd
    maxPools?: number | undefined
    priceFeeds: readonly unknown[]
    factories: readonly Readonly<{ pairs: readonly unknown[] }>[]
  }>[]
}>

type Issue = Readonly<{ path: (string | number)[]; message: string }>

/** Limits on followed pools that have no effect, or exclude every pool. */
export const poolBoundIssues = ({ chains }: Bounded): readonly Issue[] =>
  chains.flatMap(({ minPoolUsd, maxPools, priceFeeds, factories }, at) => {
    const given = [
      ...(minPoolUsd > 0n ? ['minPoolUsd'] : []),
      ...(maxPools === undefined ? [] : ['maxPools']),
    ]
    const hasWholeFactory = factories.some(({ pairs }) => pairs.length === 0)
    const fault = hasWholeFactory
      ? priceFeeds.length === 0 &&
        'counts the depth of pools in currencies with a feed, and priceFeeds has none'
      : 'bounds the pools of whole factories, and each factory has pairs'
    return fault === false
      ? []
      : given.map((option) => ({ path: ['chains', at, option], message: fault }))
  })
