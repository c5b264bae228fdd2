import { formatPercent } from '#src/gateway/formatValues.ts'
import { builder } from '#src/gateway/graphql/builder.ts'
import { CurrencyAmountType } from '#src/gateway/graphql/types/currencies/currencyType.ts'
import type { PriceAnswer } from '#src/operations/operations.ts'
import type { Impact, Operation, Slippage } from '#src/pricing/price.ts'
import { RouteType } from './routeType.ts'

const OperationType = builder.enumType('OperationKind', {
  description: 'What happens to the user’s funds.',
  values: {
    send: { description: 'The same currency to somebody else on the same chain.' },
    swap: { description: 'One currency into another, on one chain or between two.' },
    wrap: { description: 'A native currency into its wrapped ERC-20, one to one.' },
    unwrap: { description: 'A wrapped ERC-20 into its native currency, one to one.' },
    bridge: { description: 'One asset from one chain to another.' },
  } satisfies Record<Operation, object>,
})

const ImpactType = builder.objectRef<Impact>('Impact').implement({
  description: 'A gain or, negative, a loss.',
  fields: (t) => ({
    usd: t.expose('usd', { type: 'Usd', description: 'In US dollars.' }),
    percent: t.field({
      type: 'Decimal',
      description: 'Of what the input is worth, in percent with two decimals.',
      resolve: ({ percentHundredths }) => formatPercent(percentHundredths),
    }),
  }),
})

const SlippageType = builder.objectRef<Slippage>('Slippage').implement({
  description: 'How much less than expected one leg may give.',
  fields: (t) => ({
    usd: t.expose('usd', {
      type: 'Usd',
      nullable: true,
      description: 'Its worth in US dollars; null when nothing prices the currency.',
    }),
    value: t.expose('value', {
      type: 'Amount',
      description: 'In the smallest unit of the leg’s output, rounded down.',
    }),
    percent: t.field({
      type: 'Decimal',
      description: 'Of the leg’s output, in percent with two decimals, rounded down.',
      resolve: ({ percentHundredths }) => formatPercent(percentHundredths),
    }),
  }),
})

const SlippageToleranceType = builder
  .objectRef<PriceAnswer['slippageTolerance']>('SlippageTolerance')
  .implement({
    description: 'How much less than expected may arrive before the swap is called off, by leg.',
    fields: (t) => ({
      origin: t.expose('origin', {
        type: SlippageType,
        description:
          'On the origin chain; of several origins together, in what the solver spends. Zeros where nothing is swapped there.',
      }),
      destination: t.expose('destination', {
        type: SlippageType,
        description: 'In what the recipient gets; zeros for EXACT_OUTPUT.',
      }),
    }),
  })

type Summary = Pick<
  PriceAnswer,
  | 'operation'
  | 'sender'
  | 'recipient'
  | 'currencyIn'
  | 'currencyOut'
  | 'totalImpact'
  | 'swapImpact'
  | 'rate'
  | 'slippageTolerance'
  | 'timeEstimate'
  | 'userBalance'
>

type FieldsOf<Shape> = PothosSchemaTypes.ObjectFieldBuilder<typeof builder.$inferSchemaTypes, Shape>

/** Texts of the fields that mean one thing where one account pays in, and another where several do. */
type Texts = Readonly<Record<'sender' | 'currencyIn' | 'timeEstimate' | 'userBalance', string>>

/** What the details of every answer tell. */
export const summaryFields = (t: FieldsOf<Summary>, texts: Texts) => ({
  operation: t.expose('operation', {
    type: OperationType,
    description: 'What happens to the user’s funds.',
  }),
  sender: t.expose('sender', {
    type: 'Address',
    description: texts.sender,
  }),
  recipient: t.expose('recipient', {
    type: 'Address',
    description: 'Who is paid on the destination chain.',
  }),
  currencyIn: t.expose('currencyIn', {
    type: CurrencyAmountType,
    description: texts.currencyIn,
  }),
  currencyOut: t.expose('currencyOut', {
    type: CurrencyAmountType,
    description:
      'What the recipient is expected to get, and the least that is promised. EXACT_OUTPUT promises the amount itself.',
  }),
  totalImpact: t.expose('totalImpact', {
    type: ImpactType,
    nullable: true,
    description:
      'Worth of `currencyOut` less that of `currencyIn`; null where either has no price.',
  }),
  swapImpact: t.expose('swapImpact', {
    type: ImpactType,
    nullable: true,
    description:
      'Of the swaps alone: `totalImpact` with the relayer and app fees added back; null where that has no price.',
  }),
  rate: t.expose('rate', {
    type: 'Decimal',
    description:
      'Whole units of `currencyOut` for one whole unit of `currencyIn`, 18 significant digits.',
  }),
  slippageTolerance: t.expose('slippageTolerance', {
    type: SlippageToleranceType,
    description: 'How much less than expected may arrive before the swap is called off.',
  }),
  timeEstimate: t.exposeInt('timeEstimate', { description: texts.timeEstimate }),
  userBalance: t.field({
    type: 'Amount',
    description: texts.userBalance,
    resolve: (answer) => answer.userBalance(),
  }),
})

/** What the details of prices and of quotes both tell. */
export const swapDetailsFields = (t: FieldsOf<PriceAnswer>) => ({
  ...summaryFields(t as never, {
    sender: 'Who deposits on the origin chain.',
    currencyIn: 'What the user pays in. Its `minimumAmount` is its `amount`.',
    timeEstimate: 'Seconds from the deposit’s broadcast to the payment.',
    userBalance:
      'What the user holds of the origin currency, in its smallest unit. The one field that is read from the chain: leave it out for the fastest answer.',
  }),
  route: t.field({
    type: RouteType,
    description: 'The way that the swap takes.',
    resolve: (answer) => answer,
  }),
})

export const PriceDetailsType = builder.objectRef<PriceAnswer>('PriceDetails').implement({
  description: 'The summary of a swap: who pays and gets what, and how sure it is.',
  fields: (t) => swapDetailsFields(t),
})
