import { priceInput } from '#src/operations/priceInput.ts'
import { builder } from './builder.ts'

const TradeTypeType = builder.enumType('TradeType', {
  description: 'What `amount` means.',
  values: {
    EXACT_INPUT: { description: '`amount` of the origin currency is paid in.' },
    EXACT_OUTPUT: { description: '`amount` of the destination currency must arrive, to the unit.' },
    EXPECTED_OUTPUT: {
      description:
        '`amount` of the destination currency is expected; what arrives may differ within the slippage tolerance.',
    },
  },
})

const TxInputType = builder.inputType('TxInput', {
  description: 'A call to make on the destination chain once the funds are there.',
  fields: (t) => ({
    to: t.field({ type: 'Address', required: true, description: 'The contract to call.' }),
    value: t.field({
      type: 'Amount',
      required: true,
      description: 'Native currency to send along, in wei.',
    }),
    data: t.field({ type: 'Hex', required: true, description: 'Calldata, at most 65,535 bytes.' }),
    originalTxValue: t.field({
      type: 'Amount',
      description: 'The value that the call had before it was wrapped in others, in wei.',
    }),
  }),
})

const AppFeeInputType = builder.inputType('AppFeeInput', {
  description: 'A share of the input for whoever built the frontend.',
  fields: (t) => ({
    recipient: t.field({ type: 'Address', required: true, description: 'Who gets the fee.' }),
    fee: t.field({
      type: 'Bps',
      required: true,
      description: 'Share of the input’s value, "0" to "9999"; "50" is 0.5%.',
    }),
  }),
})

export const PriceInputType = builder
  .inputType('PriceInput', {
    description: 'What to swap into what, for whom.',
    fields: (t) => ({
      user: t.field({
        type: 'Address',
        required: true,
        description: 'Who deposits on the origin chain and submits transactions or signatures.',
      }),
      originChainId: t.field({
        type: 'ChainId',
        required: true,
        description: 'Where the user pays.',
      }),
      destinationChainId: t.field({
        type: 'ChainId',
        required: true,
        description: 'Where the recipient is paid; may be the same chain.',
      }),
      originCurrency: t.field({
        type: 'Address',
        required: true,
        description: 'What the user pays; the zero address for the native currency.',
      }),
      destinationCurrency: t.field({
        type: 'Address',
        required: true,
        description: 'What the recipient gets; the zero address for the native currency.',
      }),
      amount: t.field({
        type: 'Amount',
        required: true,
        description:
          'In the smallest unit, more than "0": of the origin currency for EXACT_INPUT, else of the destination currency.',
      }),
      tradeType: t.field({
        type: TradeTypeType,
        required: true,
        description: 'What `amount` means.',
      }),
      recipient: t.field({
        type: 'Address',
        description: 'Who is paid on the destination chain. Default: `user`.',
      }),
      refundTo: t.field({
        type: 'Address',
        description: 'Who is paid back on failure. Default: `recipient`, else `user`.',
      }),
      refundOnOrigin: t.boolean({
        description: 'Refunds are always paid on the origin chain.',
        deprecationReason: 'Refunds are always paid on the origin chain.',
      }),
      txs: t.field({
        type: [TxInputType],
        description: 'Calls to make on the destination chain, in order, at most 32.',
      }),
      referrer: t.string({
        description: 'Names the frontend in records; at most 128 characters.',
      }),
      useReceiver: t.boolean({
        description:
          'Deposits through a receiver contract that reports the payment before it forwards it, which a smart contract that deposits needs. Default: true.',
      }),
      useExternalLiquidity: t.boolean({
        description:
          'Bridges over canonical bridges: slower, but not bounded by the solver’s funds.',
      }),
      useFallbacks: t.boolean({ description: 'Enables fallback routes.' }),
      usePermit: t.boolean({
        description:
          'Uses an EIP-3009 permit instead of a transaction when bridging; only for currencies that support it.',
      }),
      useDepositAddress: t.boolean({
        description:
          'Pays to a deposit address, for wallets that cannot send calldata; only when bridging native currency.',
      }),
      slippageTolerance: t.field({
        type: 'Bps',
        description: 'How much less may arrive, "0" to "10000". Default: computed from the route.',
      }),
      appFees: t.field({
        type: [AppFeeInputType],
        description:
          'Shares of the input for frontends, at most 16, together less than 10,000 basis points.',
      }),
    }),
  })
  .validate(priceInput)
