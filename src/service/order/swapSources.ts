import { AppError } from '#src/core/errors.ts'
import type { Order, SwapSourceFilter } from '#src/core/pricing/order.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { QuoteRequest } from '#src/service/input/quoteInput.ts'

/** Names of the AMM deployments that routes on each chain can use. */
export type SourcesByChain = ReadonlyMap<ChainId, ReadonlySet<string>>

type Lists = Pick<QuoteRequest, 'originChainId' | 'destinationChainId'> &
  Partial<Pick<QuoteRequest, ListField>>

const listFields = [
  'includedSwapSources',
  'excludedSwapSources',
  'includedOriginSwapSources',
  'includedDestinationSwapSources',
] as const satisfies readonly (keyof QuoteRequest)[]

type ListField = (typeof listFields)[number]
type List = readonly string[] | null | undefined

const everySource: SwapSourceFilter = { excluded: new Set() }
const unfiltered = { origin: everySource, destination: everySource }

/**
 * The swap sources that a request allows for each leg. The list of a leg replaces `includedSwapSources`. An empty
 * list counts as absent.
 * @throws AppError INVALID_REQUEST that names every source that the chains of the order do not have.
 */
export function swapSourcesOf(sources: SourcesByChain, request: Lists): Order['swapSources'] {
  if (listFields.every((field) => !request[field]?.length)) return unfiltered
  const onOrigin = sources.get(request.originChainId) ?? new Set()
  const onDestination = sources.get(request.destinationChainId) ?? new Set()
  const onEither = new Set([...onOrigin, ...onDestination])
  const issues = [
    ...unknownSources(request, 'includedSwapSources', onEither),
    ...unknownSources(request, 'excludedSwapSources', onEither),
    ...unknownSources(request, 'includedOriginSwapSources', onOrigin),
    ...unknownSources(request, 'includedDestinationSwapSources', onDestination),
  ]
  if (issues.length > 0) {
    const text = issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')
    throw new AppError('INVALID_REQUEST', text, { issues })
  }
  const excluded = new Set(request.excludedSwapSources)
  const filter = (own: List): SwapSourceFilter => {
    const included = own?.length ? own : request.includedSwapSources
    return { ...(included?.length && { included: new Set(included) }), excluded }
  }
  return {
    origin: filter(request.includedOriginSwapSources),
    destination: filter(request.includedDestinationSwapSources),
  }
}

const unknownSources = (request: Lists, field: ListField, known: ReadonlySet<string>) =>
  (request[field] ?? []).flatMap((source, at) =>
    known.has(source)
      ? []
      : [
          {
            path: [field, at],
            message: `Unknown swap source. Available: ${[...known].join(', ')}`,
          },
        ],
  )
