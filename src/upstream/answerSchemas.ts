import { z } from 'zod'
import {
  address,
  amount,
  chainId,
  currencyAmount,
  hash,
  hex,
  shownText,
  usd,
} from './answerValues.ts'
import { UpstreamAnswerError } from './upstreamErrors.ts'

// The parts of the answers of /price and /quote/v2 that are passed on. @source docs/protocol.md

const fees = z.object({
  gas: currencyAmount,
  relayer: currencyAmount,
  relayerGas: currencyAmount,
  relayerService: currencyAmount,
  app: currencyAmount,
  subsidized: currencyAmount,
})

const swapDetails = {
  operation: z.enum(['send', 'swap', 'wrap', 'unwrap', 'bridge']),
  sender: address,
  recipient: address,
  currencyIn: currencyAmount,
  currencyOut: currencyAmount,
  slippageTolerance: z.object({ origin: z.object({ value: amount }) }).nullish(),
  timeEstimate: z
    .number()
    .min(0)
    .max(86_400 * 30)
    .transform(Math.ceil),
  userBalance: amount.nullish().catch(undefined),
}

const priceAnswer = z.object({ fees, details: z.object(swapDetails) })

const part = z
  .object({ usd: usd.nullish() })
  .nullish()
  .transform((given) => given?.usd ?? undefined)

const leg = z.object({
  inputCurrency: currencyAmount,
  outputCurrency: currencyAmount,
  router: shownText(64).nullish(),
  includedSwapSources: z.array(shownText(64)).max(64).nullish(),
})

const gas = z.union([amount, z.int().min(0).transform(BigInt)])

const item = z.object({
  status: z.literal('incomplete'),
  data: z.object({
    from: address,
    to: address,
    data: hex,
    value: amount,
    chainId,
    gas: gas.nullish(),
    maxFeePerGas: gas,
    maxPriorityFeePerGas: gas,
  }),
})

const step = z.object({
  id: z.enum(['approve', 'deposit', 'swap']),
  kind: z.literal('transaction'),
  requestId: hash,
  depositAddress: z.literal('').nullish(),
  items: z.array(item).max(4),
})

const quoteAnswer = z.object({
  steps: z.array(step).min(1).max(4),
  fees,
  details: z.object({
    ...swapDetails,
    refundCurrency: currencyAmount.nullish(),
    currencyGasTopup: currencyAmount.nullish(),
    expandedPriceImpact: z
      .object({
        swap: part,
        execution: part,
        service: part,
        relay: part,
        app: part,
        sponsored: part,
      })
      .nullish(),
    isFixedRate: z.boolean().nullish(),
    fixedRateFee: part,
    route: z.object({ origin: leg, destination: leg }).nullish(),
  }),
  protocol: z
    .object({
      v2: z.object({ orderId: hash, orderData: z.record(z.string(), z.unknown()) }).nullish(),
    })
    .nullish(),
})

export type AnsweredPrice = z.output<typeof priceAnswer>
export type AnsweredQuote = z.output<typeof quoteAnswer>
export type AnsweredDetails = AnsweredPrice['details'] & Partial<AnsweredQuote['details']>
export type AnsweredFees = z.output<typeof fees>
export type AnsweredStep = z.output<typeof step>

/** @throws UpstreamAnswerError that names the wrong fields. */
export const parsePriceAnswer = (json: unknown): AnsweredPrice => parseBy(priceAnswer, json)

/** @throws as `parsePriceAnswer`. */
export const parseQuoteAnswer = (json: unknown): AnsweredQuote => parseBy(quoteAnswer, json)

/** Maximum number of wrong fields that an error names. */
const maxNamed = 5

function parseBy<Schema extends z.ZodType>(schema: Schema, json: unknown): z.output<Schema> {
  const parsed = schema.safeParse(json)
  if (parsed.success) return parsed.data
  const places = parsed.error.issues.slice(0, maxNamed).map(({ path }) => path.join('.') || 'all')
  throw new UpstreamAnswerError(`wrong or unknown: ${[...new Set(places)].join(', ')}`)
}
