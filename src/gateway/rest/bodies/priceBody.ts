import { z } from 'zod'
import type { Fees, Impact, Operation, PricedBlock, Slippage } from '#src/core/pricing/price.ts'
import type { Amount } from '#src/core/units/amount.ts'
import { formatUsd } from '#src/core/units/usd.ts'
import { formatPercent } from '#src/gateway/formatValues.ts'
import type { MultiInputAnswer, ShownPrice } from '#src/service/answers.ts'
import { totalFeesUsd } from '#src/service/quote/warnings.ts'
import type { Service } from '#src/service/service.ts'
import {
  addressText,
  amountText,
  blockHashText,
  component,
  decimalText,
  usdText,
} from './bodySchema.ts'
import { currencyAmountBody, encodeCurrencyAmount } from './currencyBody.ts'

const operations = [
  'send',
  'swap',
  'wrap',
  'unwrap',
  'bridge',
] as const satisfies readonly Operation[]

const impactBody = component('Impact', z.object({ usd: usdText, percent: decimalText }))

const slippageBody = component(
  'Slippage',
  z.object({ usd: usdText.optional(), value: amountText, percent: decimalText }),
)

const slippageToleranceBody = component(
  'SlippageTolerance',
  z.object({ origin: slippageBody, destination: slippageBody }),
)

/** The details that prices, quotes and multi-input quotes have in common. */
export const swapDetails = {
  operation: z
    .enum(operations)
    .describe(
      '`send`: the same currency to another account on the same chain. `swap`: one currency into another. `wrap` and `unwrap`: the native currency and its ERC-20. `bridge`: the same asset on another chain.',
    ),
  sender: addressText,
  recipient: addressText,
  currencyIn: currencyAmountBody,
  currencyOut: currencyAmountBody,
  totalImpact: impactBody.optional(),
  swapImpact: impactBody.optional(),
  rate: decimalText,
  slippageTolerance: slippageToleranceBody,
  timeEstimate: z.int().min(0),
  userBalance: amountText
    .optional()
    .describe(
      'The user’s balance of the origin currency, in the smallest unit; absent if no node reports it within 250 ms. The header `x-unavailable` then names it.',
    ),
}

export const priceDetailsBody = component('PriceDetails', z.object(swapDetails))

export const encodeDetails = (
  price: ShownPrice | MultiInputAnswer,
  userBalance: Amount | undefined,
): z.input<typeof priceDetailsBody> => ({
  operation: price.operation,
  sender: price.sender,
  recipient: price.recipient,
  currencyIn: encodeCurrencyAmount(price.currencyIn),
  currencyOut: encodeCurrencyAmount(price.currencyOut),
  totalImpact: price.totalImpact && encodeImpact(price.totalImpact),
  swapImpact: price.swapImpact && encodeImpact(price.swapImpact),
  rate: price.rate,
  slippageTolerance: {
    origin: encodeSlippage(price.slippageTolerance.origin),
    destination: encodeSlippage(price.slippageTolerance.destination),
  },
  timeEstimate: price.timeEstimate,
  userBalance: userBalance?.toString(),
})

const encodeImpact = ({ usd, percentHundredths }: Impact): z.input<typeof impactBody> => ({
  usd: formatUsd(usd),
  percent: formatPercent(percentHundredths),
})

const encodeSlippage = ({
  usd,
  value,
  percentHundredths,
}: Slippage): z.input<typeof slippageBody> => ({
  usd: usd === undefined ? undefined : formatUsd(usd),
  value: value.toString(),
  percent: formatPercent(percentHundredths),
})

export const totalFeesUsdText = usdText
  .optional()
  .describe(
    'All fees that the user pays, in US dollars: `gas`, `relayer` and `app`, less `subsidized`; absent without a price.',
  )

export function encodeTotalFees(fees: Fees): string | undefined {
  const total = totalFeesUsd(fees)
  return total === undefined ? undefined : formatUsd(total)
}

export const feesBody = component(
  'Fees',
  z.object({
    gas: currencyAmountBody,
    relayer: currencyAmountBody,
    relayerGas: currencyAmountBody,
    relayerService: currencyAmountBody,
    app: currencyAmountBody,
    subsidized: currencyAmountBody,
  }),
)

export const encodeFees = (fees: Fees): z.input<typeof feesBody> => ({
  gas: encodeCurrencyAmount(fees.gas),
  relayer: encodeCurrencyAmount(fees.relayer),
  relayerGas: encodeCurrencyAmount(fees.relayerGas),
  relayerService: encodeCurrencyAmount(fees.relayerService),
  app: encodeCurrencyAmount(fees.app),
  subsidized: encodeCurrencyAmount(fees.subsidized),
})

const pricedBlockBody = component(
  'PricedBlock',
  z.object({
    chainId: z.int(),
    number: z.int().min(0),
    hash: blockHashText,
    timestamp: z.int().min(0),
    ageMs: z.int().min(0),
  }),
)

export const blocksBody = z
  .array(pricedBlockBody)
  .describe(
    'The blocks that the answer is computed from, one for each chain, with the origin chain first; empty for the price of another service.',
  )

export const encodeBlocks = (
  blocks: readonly PricedBlock[],
  { ageMs }: Service,
): z.input<typeof blocksBody> =>
  blocks.map((block) => ({
    chainId: block.chainId,
    number: Number(block.number),
    hash: block.hash,
    timestamp: Number(block.timestamp),
    ageMs: ageMs(block),
  }))
