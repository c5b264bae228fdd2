import { builder } from '#src/gateway/graphql/builder.ts'
import { authorizationInput, quoteFields, quoteInput } from '#src/operations/input/quoteInput.ts'
import { orderFields, said } from './orderFields.ts'

const AuthorizationInputType = builder.inputType('AuthorizationInput', {
  description: 'An EIP-7702 authorization.',
  fields: (t) => {
    const { chainId, address, nonce, yParity, r, s } = authorizationInput.shape
    return {
      chainId: t.field({ type: 'ChainId', required: true, ...said(chainId) }),
      address: t.field({ type: 'Address', required: true, ...said(address) }),
      nonce: t.field({ type: 'SafeInt', required: true, ...said(nonce) }),
      yParity: t.int({ required: true, ...said(yParity) }),
      r: t.field({ type: 'Hex', required: true, ...said(r) }),
      s: t.field({ type: 'Hex', required: true, ...said(s) }),
    }
  },
})

export const QuoteInputType = builder
  .inputType('QuoteInput', {
    description: 'What to swap into what, for whom, and how it is to be executed.',
    fields: (t) => ({
      ...orderFields(t),
      txsGasLimit: t.field({ type: 'SafeInt', ...said(quoteFields.txsGasLimit) }),
      authorizationList: t.field({
        type: [AuthorizationInputType],
        ...said(quoteFields.authorizationList),
      }),
      additionalData: t.field({ type: 'JsonObject', ...said(quoteFields.additionalData) }),
      referrerAddress: t.field({ type: 'Address', ...said(quoteFields.referrerAddress) }),
      topupGas: t.boolean(said(quoteFields.topupGas)),
      topupGasAmount: t.string(said(quoteFields.topupGasAmount)),
      enableTrueExactOutput: t.boolean(said(quoteFields.enableTrueExactOutput)),
      explicitDeposit: t.boolean(said(quoteFields.explicitDeposit)),
      permitExpiry: t.field({ type: 'SafeInt', ...said(quoteFields.permitExpiry) }),
      strict: t.boolean(said(quoteFields.strict)),
      latePaymentSlippageTolerance: t.field({
        type: 'Bps',
        ...said(quoteFields.latePaymentSlippageTolerance),
      }),
      gasLimitForDepositSpecifiedTxs: t.field({
        type: 'SafeInt',
        ...said(quoteFields.gasLimitForDepositSpecifiedTxs),
      }),
      forceSolverExecution: t.boolean(said(quoteFields.forceSolverExecution)),
      subsidizeFees: t.boolean(said(quoteFields.subsidizeFees)),
      maxSubsidizationAmount: t.string(said(quoteFields.maxSubsidizationAmount)),
      subsidizeRent: t.boolean(said(quoteFields.subsidizeRent)),
      includedSwapSources: t.stringList(said(quoteFields.includedSwapSources)),
      excludedSwapSources: t.stringList(said(quoteFields.excludedSwapSources)),
      includedOriginSwapSources: t.stringList(said(quoteFields.includedOriginSwapSources)),
      includedDestinationSwapSources: t.stringList(
        said(quoteFields.includedDestinationSwapSources),
      ),
      originGasOverhead: t.field({ type: 'SafeInt', ...said(quoteFields.originGasOverhead) }),
      depositFeePayer: t.string(said(quoteFields.depositFeePayer)),
      maxRouteLength: t.int(said(quoteFields.maxRouteLength)),
      useSharedAccounts: t.boolean(said(quoteFields.useSharedAccounts)),
      includeComputeUnitLimit: t.boolean(said(quoteFields.includeComputeUnitLimit)),
      overridePriceImpact: t.boolean(said(quoteFields.overridePriceImpact)),
      disableOriginSwaps: t.boolean(said(quoteFields.disableOriginSwaps)),
      fixedRate: t.field({ type: 'Bps', ...said(quoteFields.fixedRate) }),
    }),
  })
  .validate(quoteInput)
