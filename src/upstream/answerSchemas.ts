import { z } from 'zod'
import type { CurrencyAmount } from '#src/core/pricing/price.ts'
import { toAddress } from '#src/core/units/address.ts'
import { type Amount, parseAmount } from '#src/core/units/amount.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import { type Currency, isNative } from '#src/core/units/currency.ts'
import { toUsd, type Usd } from '#src/core/units/usd.ts'
import { UpstreamAnswerError } from './upstreamClient.ts'

// The values of another service's answers. Unknown fields are dropped; wrong values are refused.

/** Parses by a function that throws a RangeError. */
const parsedBy =
  <Value>(parse: (text: string) => Value) =>
  (text: string, context: z.RefinementCtx): Value => {
    try {
      return parse(text)
    } catch {
      context.addIssue({ code: 'custom', message: 'invalid' })
      return z.NEVER
    }
  }

export const address = z.string().max(42).transform(parsedBy(toAddress))

/** Decimal digits, at most 78. */
export const amount = z.string().max(78).transform(parsedBy(parseAmount))

const chainId = z.int().positive().transform(toChainId)

type Hex = `0x${string}`

const hash = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/)
  .transform((text) => text.toLowerCase() as Hex)

export const hex = z
  .string()
  .max(131_074)
  .regex(/^0x([0-9a-fA-F]{2})*$/)
  .transform((text) => text.toLowerCase() as Hex)

/** US dollars as decimal text. Further decimals than millionths are cut off: rounded toward zero. */
const usd = z
  .string()
  .regex(/^-?[0-9]{1,15}(\.[0-9]{1,36})?$/)
  .transform((text): Usd => {
    const [whole = '0', fraction = ''] = text.replace('-', '').split('.')
    const magnitude = BigInt(whole) * 1_000_000n + BigInt(fraction.slice(0, 6).padEnd(6, '0'))
    return toUsd(text.startsWith('-') ? -magnitude : magnitude)
  })

/** Text for people, without characters that could change the text around it. */
const shownText = (maxCharacters: number) =>
  z
    .string()
    .max(1_024)
    .transform((text) =>
      Array.from(text.replace(/[\p{C}\p{Zl}\p{Zp}\uFFFD]/gu, ' ').trim())
        .slice(0, maxCharacters)
        .join(''),
    )

const currency = z
  .object({
    chainId,
    address,
    symbol: shownText(32),
    name: shownText(64),
    decimals: z.int().min(0).max(255),
    metadata: z
      .object({ logoURI: z.string().max(512).nullish(), verified: z.boolean().nullish() })
      .nullish(),
  })
  .transform(({ metadata, ...rest }): Currency => {
    const logoURI = metadata?.logoURI
    return {
      ...rest,
      metadata: {
        ...(logoURI?.startsWith('https://') && { logoURI }),
        verified: metadata?.verified ?? false,
        isNative: isNative(rest.address),
      },
    }
  })

const currencyAmount = z
  .object({
    currency,
    amount,
    minimumAmount: amount.nullish(),
    amountUsd: usd.nullish(),
  })
  .transform(
    ({ currency, amount, minimumAmount, amountUsd }): CurrencyAmount => ({
      currency,
      amount,
      minimumAmount: (minimumAmount ?? amount) as Amount,
      usd: amountUsd ?? undefined,
    }),
  )

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

type AnsweredPrice = z.output<typeof priceAnswer>
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
