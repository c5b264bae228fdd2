import { z } from 'zod'
import { builder } from '#src/gateway/graphql/builder.ts'
import { PriceInputType } from '#src/gateway/graphql/inputs/priceInputType.ts'
import { units } from '#src/gateway/limits/units.ts'
import type { PriceEvent } from '#src/service/answers.ts'
import { priceInput } from '#src/service/input/priceInput.ts'
import { PricedBlockType } from './commonFields.ts'
import { FailureType, toFailure } from './failureType.ts'
import { PriceType } from './priceType.ts'

const PriceEventType = builder.objectRef<PriceEvent>('PriceEvent').implement({
  description:
    'A live price after a block: the price, or the reason why there is none at the moment.',
  fields: (t) => ({
    price: t.expose('price', {
      type: PriceType,
      nullable: true,
      description: 'The price at `blocks`; null if there is none: `failure` then has the reason.',
    }),
    failure: t.field({
      type: FailureType,
      nullable: true,
      description:
        'The reason why there is no price at the moment, such as NO_SWAP_ROUTES_FOUND or STALE_MARKET; null if there is a price. The subscription continues.',
      resolve: ({ failure }) => failure && toFailure(failure),
    }),
    blocks: t.expose('blocks', {
      type: [PricedBlockType],
      description:
        'The newest blocks that the event is computed from, one for each chain, with the origin chain first. A chain is missing until its first block is read.',
      extensions: { items: 2 },
    }),
  }),
})

/** Longest `minIntervalMs`: a minute. */
const maxIntervalMs = 60_000

const minInterval = z.int().min(0, 'At least 0').max(maxIntervalMs, `At most ${maxIntervalMs}`)

builder.subscriptionField('price', (t) =>
  t.field({
    type: PriceEventType,
    description:
      'A live price: the price at once, then the newest price whenever a block of either chain changes the selected fields, and never the same twice in a row. A slow client gets only the newest price. A temporary failure is an event and does not end the subscription. Errors that end it: those of the query `price` if the input is at fault, at once, and SERVICE_UNAVAILABLE.',
    args: {
      input: t
        .arg({
          type: PriceInputType,
          required: true,
          description: 'Currencies, amount and accounts, as for the query `price`.',
        })
        .validate(priceInput),
      minIntervalMs: t.arg.int({
        description: `Shortest time between two events, in milliseconds, 0 to ${maxIntervalMs}. Default: 0, an event for each block that changes the price.`,
        validate: minInterval,
      }),
    },
    extensions: {
      cost: 50,
      units: units.livePrice,
      quiet: 'blocks',
      comparable: ({ price, failure }: PriceEvent): PriceEvent => ({
        price: price && { ...price, blocks: [] as never },
        failure,
        blocks: [],
      }),
    },
    subscribe: (_, { input, minIntervalMs }, { operations, client }) =>
      operations.watchPrice(input, minIntervalMs ?? 0, client),
    resolve: (event) => event,
  }),
)
