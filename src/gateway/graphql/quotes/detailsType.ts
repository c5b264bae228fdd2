import type { Impact, Operation, Slippage } from '#src/core/pricing/price.ts'
import { formatPercent } from '#src/gateway/formatValues.ts'
import { builder, type FieldsOf } from '#src/gateway/graphql/builder.ts'
import { CurrencyAmountType } from '#src/gateway/graphql/currencies/currencyType.ts'
import type { MultiInputAnswer, PriceAnswer } from '#src/service/answers.ts'
import { RouteType } from './routeType.ts'

const OperationType = builder.enumType('OperationKind', {
  description: 'Kind of an order.',
  values: {
    send: { description: 'A transfer of the same currency on the same chain.' },
    swap: { description: 'One currency into another, on one chain or across two.' },
    wrap: { description: 'The native currency into its wrapped ERC-20, one to one.' },
    unwrap: { description: 'The wrapped ERC-20 into the native currency, one to one.' },
    bridge: { description: 'The same asset from one chain to another.' },
  } satisfies Record<Operation, object>,
})

const ImpactType = builder.objectRef<Impact>('Impact').implement({
  description: 'A change in value: positive for a gain, negative for a loss.',
  fields: (t) => ({
    usd: t.expose('usd', {
      type: 'Usd',
      description:
        'Change in US dollars: a difference of values that are each rounded down to a millionth.',
    }),
    percent: t.field({
      type: 'Decimal',
      description: 'Change in percent of the input’s value, rounded to the nearest hundredth.',
      resolve: ({ percentHundredths }) => formatPercent(percentHundredths),
    }),
  }),
})

const SlippageType = builder.objectRef<Slippage>('Slippage').implement({
  description: 'The slippage tolerance of one leg.',
  fields: (t) => ({
    usd: t.expose('usd', {
      type: 'Usd',
      nullable: true,
      description: '`value` in US dollars, rounded down; null if the currency has no price.',
    }),
    value: t.expose('value', {
      type: 'Amount',
      description:
        'Largest accepted shortfall, in the smallest unit of the leg’s output, rounded down.',
    }),
    percent: t.field({
      type: 'Decimal',
      description: '`value` in percent of the leg’s output, with two decimals, rounded to nearest.',
      resolve: ({ percentHundredths }) => formatPercent(percentHundredths),
    }),
  }),
})

const SlippageToleranceType = builder
  .objectRef<PriceAnswer['slippageTolerance']>('SlippageTolerance')
  .implement({
    description:
      'Slippage tolerance by leg. If the output falls short by more, the swap is not executed.',
    fields: (t) => ({
      origin: t.expose('origin', {
        type: SlippageType,
        description:
          'Tolerance of the origin leg; zero without a swap on the origin chain. For several origins: all origin legs together, in the currency that the solver spends.',
      }),
      destination: t.expose('destination', {
        type: SlippageType,
        description:
          'Tolerance of the destination leg, in the currency that the recipient gets; zero for EXACT_OUTPUT.',
      }),
    }),
  })

type Summary = PriceAnswer | MultiInputAnswer

/** Descriptions of the fields whose meaning differs between one and several origins. */
type Texts = Readonly<Record<'sender' | 'currencyIn' | 'timeEstimate' | 'userBalance', string>>

/** The details that prices, quotes and multi-input quotes have in common. */
export const summaryFields = (t: FieldsOf<Summary>, texts: Texts) => ({
  operation: t.expose('operation', {
    type: OperationType,
    description: 'Kind of the order: transfer, swap, wrap, unwrap or bridge.',
  }),
  sender: t.expose('sender', {
    type: 'Address',
    description: texts.sender,
  }),
  recipient: t.expose('recipient', {
    type: 'Address',
    description:
      'The account that is paid on the destination chain; the zero address for a price without one.',
  }),
  currencyIn: t.expose('currencyIn', {
    type: CurrencyAmountType,
    description: texts.currencyIn,
  }),
  currencyOut: t.expose('currencyOut', {
    type: CurrencyAmountType,
    description:
      'Output of the recipient: the expected `amount`, and the lowest promised `minimumAmount`. For EXACT_OUTPUT both are equal.',
  }),
  totalImpact: t.expose('totalImpact', {
    type: ImpactType,
    nullable: true,
    description: 'Value of `currencyOut` less that of `currencyIn`; null if either has no price.',
  }),
  swapImpact: t.expose('swapImpact', {
    type: ImpactType,
    nullable: true,
    description:
      'Impact of the swaps only: `totalImpact` without the relayer and app fees; null without prices.',
  }),
  rate: t.expose('rate', {
    type: 'Decimal',
    description:
      'Whole units of `currencyOut` for one whole unit of `currencyIn`, with at most 18 significant digits, rounded down.',
  }),
  slippageTolerance: t.expose('slippageTolerance', {
    type: SlippageToleranceType,
    description:
      'Largest accepted shortfall of each leg’s output. The leg is not executed if its output falls short by more.',
  }),
  timeEstimate: t.exposeInt('timeEstimate', { description: texts.timeEstimate }),
  userBalance: t.field({
    type: 'Amount',
    nullable: true,
    description: texts.userBalance,
    resolve: async (answer) => (await answer.userBalance()) ?? null,
  }),
})

/** The details that prices and quotes have in common. */
export const swapDetailsFields = (t: FieldsOf<PriceAnswer>) => ({
  ...summaryFields(t as never, {
    sender:
      'The account that pays on the origin chain; the zero address for a price without a user.',
    currencyIn: 'Amount that the user pays. Its `minimumAmount` equals its `amount`.',
    timeEstimate:
      'Estimated seconds from the broadcast of the deposit to the payment of the recipient.',
    userBalance:
      'The user’s balance of the origin currency, in the smallest unit; null without a user, or if no node reports it within 250 ms. It needs an RPC call: omit it for the fastest answer.',
  }),
  route: t.field({
    type: RouteType,
    description: 'The route of the swap, by leg.',
    resolve: (answer) => answer,
  }),
})

export const PriceDetailsType = builder.objectRef<PriceAnswer>('PriceDetails').implement({
  description: 'Amounts, accounts, rate, price impact and slippage of a price.',
  fields: (t) => swapDetailsFields(t),
})
