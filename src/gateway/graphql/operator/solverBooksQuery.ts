import { z } from 'zod'
import { formatAmount } from '#src/core/units/amount.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { builder, type FieldsOf } from '#src/gateway/graphql/builder.ts'
import { CurrencyType } from '#src/gateway/graphql/currencies/currencyType.ts'
import { units } from '#src/gateway/limits/units.ts'
import { type BookSums, type OpenRequests, profitOf, unknownIn } from '#src/requests/state/books.ts'
import type { ChainInventory, Holding } from '#src/service/books/inventory.ts'
import type { Alarm, BookedDay, SolverBooks } from '#src/service/books/solverBooks.ts'
import { bookDaysField } from '#src/service/input/inputFields.ts'

/** An amount and its decimal text, both null while it is unknown. */
const amountFields = <Shape, Name extends string>(
  t: FieldsOf<Shape>,
  name: Name,
  description: string,
  read: (shape: Shape) => Readonly<{ amount: bigint | undefined; currency: Currency }>,
) => ({
  [name]: t.field({
    type: 'Amount',
    nullable: true,
    description: `${description}, in the smallest unit.`,
    resolve: (shape) => read(shape).amount ?? null,
  }),
  [`${name}Formatted`]: t.field({
    type: 'Decimal',
    nullable: true,
    description: `${description}, in whole units.`,
    resolve: (shape) => {
      const { amount, currency } = read(shape)
      return amount === undefined ? null : formatAmount(amount, currency.decimals)
    },
  }),
})

const HoldingType = builder.objectRef<Holding>('SolverHolding').implement({
  description: 'What the solver has of one currency on one chain.',
  fields: (t) => ({
    symbol: t.exposeString('symbol', {
      description: 'Symbol of its asset in the configuration. Unique on its chain.',
    }),
    currency: t.expose('currency', { type: CurrencyType, description: 'The currency.' }),
    ...amountFields(
      t,
      'balance',
      'The balance at the newest block; null while unknown',
      (each) => ({
        amount: each.balance,
        currency: each.currency,
      }),
    ),
    balanceUsd: t.field({
      type: 'Usd',
      nullable: true,
      description: 'Value of the balance, rounded down; null without a price.',
      resolve: ({ balanceUsd }) => balanceUsd ?? null,
    }),
    ...amountFields(
      t,
      'unsettled',
      'Filled deposits, and those that a sent fill is for: settlements bring them, less app fees',
      (each) => ({ amount: each.unsettled, currency: each.currency }),
    ),
    ...amountFields(t, 'target', 'The configured target; null without one', (each) => ({
      amount: each.target,
      currency: each.currency,
    })),
    ...amountFields(t, 'minimum', 'The balance is low below it; null without a target', (each) => ({
      amount: each.minimum,
      currency: each.currency,
    })),
    isLow: t.exposeBoolean('isLow', { description: 'Whether the balance is below the minimum.' }),
  }),
})

const InventoryType = builder.objectRef<ChainInventory>('SolverInventory').implement({
  description: 'The solver’s inventory and gas money on one chain.',
  fields: (t) => ({
    chainId: t.expose('chainId', { type: 'ChainId', description: 'EIP-155 chain id.' }),
    name: t.exposeString('name', { description: 'Name of the chain for programs.' }),
    displayName: t.exposeString('displayName', { description: 'Name of the chain for people.' }),
    gasSymbol: t.string({
      description: 'Symbol of the native currency, which pays for gas.',
      resolve: ({ native }) => native.symbol,
    }),
    ...amountFields(
      t,
      'gasBalance',
      'Native currency of the solver’s account; null while unknown',
      (each) => ({ amount: each.gasBalance, currency: each.native }),
    ),
    gasFills: t.field({
      type: 'SafeInt',
      nullable: true,
      description:
        'Number of fills with one swap whose gas it pays at the present price; null while unknown.',
      resolve: ({ gasFills }) => safe(gasFills),
    }),
    holdings: t.expose('holdings', {
      type: [HoldingType],
      description: 'The native currency and the currencies of the assets.',
      extensions: { items: 10 },
    }),
  }),
})

/** JSON integers end at 2^53 − 1. */
const safe = (count: bigint | undefined): bigint | null => {
  const most = BigInt(Number.MAX_SAFE_INTEGER)
  if (count === undefined) return null
  return count > most ? most : count
}

const MoveType = builder.objectRef<SolverBooks['moves'][number]>('AdvisedMove').implement({
  description: 'A transfer between two chains that brings an asset back to its targets.',
  fields: (t) => ({
    asset: t.exposeString('asset', { description: 'Symbol of the asset in the configuration.' }),
    from: t.expose('from', { type: CurrencyType, description: 'The currency to take.' }),
    to: t.expose('to', {
      type: CurrencyType,
      description: 'The currency of the same asset that is missing.',
    }),
    amount: t.expose('amount', {
      type: 'Amount',
      description: 'The amount to move, in the smallest unit of `from`.',
    }),
    amountFormatted: t.field({
      type: 'Decimal',
      description: 'The amount to move, in whole units.',
      resolve: ({ amount, from }) => formatAmount(amount, from.decimals),
    }),
    amountUsd: t.field({
      type: 'Usd',
      nullable: true,
      description: 'Its value, rounded down; null without a price.',
      resolve: ({ usd }) => usd ?? null,
    }),
    costUsd: t.field({
      type: 'Usd',
      nullable: true,
      description:
        'What this gateway itself charges for the crossing, rounded up. A bridge that the operator uses may cost more or less. Null: unknown.',
      resolve: ({ costUsd }) => costUsd ?? null,
    }),
  }),
})

const SumsType = builder.objectRef<BookSums>('BookSums').implement({
  description:
    'Sums over booked transactions, at the prices of their booking. Each sum leaves out transactions whose value is unknown.',
  fields: (t) => ({
    transactions: t.exposeInt('transactions', {
      description: 'Final transactions of the solver and the relayer.',
    }),
    volumeUsd: t.expose('volumeUsd', {
      type: 'Usd',
      description: 'What fills took from the solver, rounded up.',
    }),
    feesUsd: t.expose('feesUsd', {
      type: 'Usd',
      description:
        'Deposits without app fees minus what their fills took, and the cost that refunds kept; rounded down. Counted on the day and chain of the fill or refund.',
    }),
    sponsoredUsd: t.expose('sponsoredUsd', {
      type: 'Usd',
      description: 'Fees that API keys sponsor, as quoted. Not part of the profit.',
    }),
    gasUsd: t.expose('gasUsd', { type: 'Usd', description: 'Gas, rounded up.' }),
    profitUsd: t.field({
      type: 'Usd',
      description: 'Fees minus gas.',
      resolve: profitOf,
    }),
    unknownValues: t.int({
      description: 'Values that the sums leave out, for want of a price or a receipt.',
      resolve: unknownIn,
    }),
  }),
})

const BookChainType = builder.objectRef<BookedDay['chains'][number]>('BookChain').implement({
  description: 'The books of one chain on one day.',
  fields: (t) => ({
    chainId: t.expose('chainId', { type: 'ChainId', description: 'EIP-155 chain id.' }),
    gas: t.field({
      type: 'Amount',
      description: 'Gas in wei of the chain’s native currency.',
      resolve: ({ sums }) => sums.gas,
    }),
    sums: t.expose('sums', { type: SumsType, description: 'The sums of the chain.' }),
  }),
})

const DayType = builder.objectRef<BookedDay>('BookDay').implement({
  description: 'One UTC day in the solver’s books.',
  fields: (t) => ({
    day: t.exposeString('day', { description: 'The day, such as "2026-01-31".' }),
    total: t.expose('total', { type: SumsType, description: 'The sums of all chains.' }),
    chains: t.expose('chains', {
      type: [BookChainType],
      description: 'The chains with transactions on that day.',
    }),
  }),
})

const OpenRequestsType = builder.objectRef<OpenRequests>('OpenRequests').implement({
  description: 'Open requests of one status and class of age.',
  fields: (t) => ({
    status: t.exposeString('status', {
      description: 'The status: depositing, pending or submitted.',
    }),
    minAgeSeconds: t.exposeInt('minAgeSeconds', {
      description: 'Lower end of the class of age, since the quote: 0, 300, 3600 or 86400 seconds.',
    }),
    count: t.exposeInt('count', {
      description: 'Number of requests. All classes together count at most 10,000.',
    }),
  }),
})

const AlarmType = builder.objectRef<Alarm>('OperatorAlarm').implement({
  description: 'Something that an operator should look at.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Name of the alert, as in the runbook.' }),
    chainId: t.field({
      type: 'ChainId',
      nullable: true,
      description: 'The chain that it concerns; null for all.',
      resolve: ({ chainId }) => chainId ?? null,
    }),
    text: t.exposeString('text', { description: 'For people.' }),
  }),
})

const BooksType = builder.objectRef<SolverBooks>('SolverBooks').implement({
  description: 'The solver’s inventory, volume, fees, gas and profit.',
  fields: (t) => ({
    chains: t.expose('chains', {
      type: [InventoryType],
      description: 'The inventory of each chain.',
    }),
    moves: t.expose('moves', {
      type: [MoveType],
      description: 'Transfers that bring the inventory back to its targets.',
    }),
    days: t.expose('days', {
      type: [DayType],
      description: 'The newest UTC day first; days without transactions too.',
      extensions: { items: 30 },
    }),
    openRequests: t.expose('openRequests', {
      type: [OpenRequestsType],
      description: 'Open requests by status and age.',
    }),
    alarms: t.expose('alarms', { type: [AlarmType], description: 'What needs attention now.' }),
  }),
})

builder.queryFields((t) => ({
  solverBooks: t.field({
    type: BooksType,
    description:
      'The solver’s books. Needs an API key with the right `operator`. Errors: UNAUTHORIZED, FORBIDDEN, SERVICE_UNAVAILABLE.',
    args: t.validate(
      {
        days: t.arg.int({
          required: true,
          defaultValue: 7,
          description: 'Number of UTC days, 1 to 90.',
        }),
      },
      z.strictObject({ days: bookDaysField }),
    ),
    extensions: { cost: 100, units: units.count },
    resolve: (_, { days }, { operations, client }) => operations.solverBooks(client, days),
  }),
}))
