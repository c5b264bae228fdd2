import { z } from 'zod'
import { formatAmount } from '#src/core/units/amount.ts'
import { formatUsd, type Usd } from '#src/core/units/usd.ts'
import { units } from '#src/gateway/limits/units.ts'
import { amountText, component, decimalText, usdText } from '#src/gateway/rest/bodies/bodySchema.ts'
import { currencyBody } from '#src/gateway/rest/bodies/currencyBody.ts'
import { parameterText, referrerParameter } from '#src/gateway/rest/queryParameters.ts'
import { restRoute } from '#src/gateway/rest/restRoute.ts'
import { type BookSums, profitOf, unknownIn } from '#src/requests/state/books.ts'
import type { ChainInventory, Holding } from '#src/service/books/inventory.ts'
import type { SolverBooks } from '#src/service/books/solverBooks.ts'
import { bookDaysField } from '#src/service/input/inputFields.ts'

const amount = amountText.optional()
const decimal = decimalText.optional()
const usd = usdText.optional()
const chainId = z.int().positive()

const holdingBody = component(
  'SolverHolding',
  z.object({
    symbol: z.string(),
    currency: currencyBody,
    balance: amount,
    balanceFormatted: decimal,
    balanceUsd: usd,
    unsettled: amount,
    unsettledFormatted: decimal,
    target: amount,
    targetFormatted: decimal,
    minimum: amount,
    minimumFormatted: decimal,
    isLow: z.boolean(),
  }),
)

const inventoryBody = component(
  'SolverInventory',
  z.object({
    chainId,
    name: z.string(),
    displayName: z.string(),
    gasSymbol: z.string(),
    gasBalance: amount,
    gasBalanceFormatted: decimal,
    gasFills: z.int().min(0).optional(),
    holdings: z.array(holdingBody),
  }),
)

const moveBody = component(
  'AdvisedMove',
  z.object({
    asset: z.string(),
    from: currencyBody,
    to: currencyBody,
    amount: amountText,
    amountFormatted: decimalText,
    amountUsd: usd,
    costUsd: usd,
  }),
)

const sumsBody = component(
  'BookSums',
  z.object({
    transactions: z.int(),
    volumeUsd: usdText,
    feesUsd: usdText,
    sponsoredUsd: usdText,
    gasUsd: usdText,
    profitUsd: usdText,
    unknownValues: z.int(),
  }),
)

const dayBody = component(
  'BookDay',
  z.object({
    day: z.string().regex(/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/),
    total: sumsBody,
    chains: z.array(component('BookChain', z.object({ chainId, gas: amountText, sums: sumsBody }))),
  }),
)

const openRequestsBody = component(
  'OpenRequests',
  z.object({
    status: z.enum(['depositing', 'pending', 'submitted']),
    minAgeSeconds: z.int().min(0),
    count: z.int().min(1),
  }),
)

const booksBody = component(
  'SolverBooks',
  z.object({
    chains: z.array(inventoryBody),
    moves: z.array(moveBody),
    days: z.array(dayBody),
    openRequests: z.array(openRequestsBody),
    alarms: z.array(
      component(
        'OperatorAlarm',
        z.object({ name: z.string(), chainId: chainId.optional(), text: z.string() }),
      ),
    ),
  }),
)

export const operatorRoute = restRoute({
  path: '/operator/books',
  method: 'GET',
  operation: 'solverBooks',
  summary: 'The solver’s books',
  description:
    'The solver’s inventory against its targets, gas money, open requests, and volume, fees, gas and profit of each UTC day. Needs an `x-api-key` with the right `operator`. Makes no RPC call.',
  input: z.strictObject({
    days: parameterText()
      .transform((text) => (/^[0-9]{1,3}$/.test(text) ? Number(text) : Number.NaN))
      .pipe(bookDaysField)
      .optional()
      .describe('Number of UTC days, 1 to 90. Default: 7.')
      .meta({ type: 'integer', minimum: 1, maximum: 90 }),
    referrer: referrerParameter,
  }),
  body: booksBody,
  takesApiKey: true,
  units: () => units.count,
  example: () => ({}),
  answer: async ({ days = 7 }, { operations, client }) =>
    encodeBooks(await operations.solverBooks(client, days)),
})

function encodeBooks({
  chains,
  moves,
  days,
  openRequests,
  alarms,
}: SolverBooks): z.input<typeof booksBody> {
  return {
    chains: chains.map(encodeInventory),
    moves: moves.map((move) => ({
      asset: move.asset,
      from: move.from,
      to: move.to,
      amount: move.amount.toString(),
      amountFormatted: formatAmount(move.amount, move.from.decimals),
      amountUsd: usdOf(move.usd),
      costUsd: usdOf(move.costUsd),
    })),
    days: days.map(({ day, total, chains: own }) => ({
      day,
      total: encodeSums(total),
      chains: own.map((each) => ({
        chainId: each.chainId,
        gas: each.sums.gas.toString(),
        sums: encodeSums(each.sums),
      })),
    })),
    openRequests: [...openRequests],
    alarms: [...alarms],
  }
}

function encodeInventory({ native, ...chain }: ChainInventory): z.input<typeof inventoryBody> {
  const { gasBalance, gasFills } = chain
  return {
    chainId: chain.chainId,
    name: chain.name,
    displayName: chain.displayName,
    gasSymbol: native.symbol,
    gasBalance: gasBalance?.toString(),
    gasBalanceFormatted: textOf(gasBalance, native.decimals),
    gasFills: gasFills === undefined ? undefined : safeNumber(gasFills),
    holdings: chain.holdings.map(encodeHolding),
  }
}

function encodeHolding(holding: Holding): z.input<typeof holdingBody> {
  const { symbol, currency, balance, balanceUsd, unsettled, target, minimum, isLow } = holding
  const { decimals } = currency
  return {
    symbol,
    currency,
    balance: balance?.toString(),
    balanceFormatted: textOf(balance, decimals),
    balanceUsd: usdOf(balanceUsd),
    unsettled: unsettled.toString(),
    unsettledFormatted: textOf(unsettled, decimals),
    target: target?.toString(),
    targetFormatted: textOf(target, decimals),
    minimum: minimum?.toString(),
    minimumFormatted: textOf(minimum, decimals),
    isLow,
  }
}

const encodeSums = (sums: BookSums): z.input<typeof sumsBody> => ({
  transactions: sums.transactions,
  volumeUsd: formatUsd(sums.volumeUsd),
  feesUsd: formatUsd(sums.feesUsd),
  sponsoredUsd: formatUsd(sums.sponsoredUsd),
  gasUsd: formatUsd(sums.gasUsd),
  profitUsd: formatUsd(profitOf(sums)),
  unknownValues: unknownIn(sums),
})

const textOf = (value: bigint | undefined, decimals: number): string | undefined =>
  value === undefined ? undefined : formatAmount(value, decimals)

const usdOf = (value: Usd | undefined): string | undefined =>
  value === undefined ? undefined : formatUsd(value)

/** JSON integers end at 2^53 − 1. */
const safeNumber = (count: bigint): number => Math.min(Number(count), Number.MAX_SAFE_INTEGER)
