import { builder } from '#src/gateway/graphql/builder.ts'
import { authorizationInput, quoteFields, quoteInput } from '#src/service/input/quoteInput.ts'
import { described, orderFields } from './priceInputType.ts'

export const AuthorizationInputType = builder.inputType('AuthorizationInput', {
  description: 'An EIP-7702 authorization.',
  fields: (t) => {
    const { chainId, address, nonce, yParity, r, s } = authorizationInput.shape
    return {
      chainId: t.field({ type: 'ChainId', required: true, ...described(chainId) }),
      address: t.field({ type: 'Address', required: true, ...described(address) }),
      nonce: t.field({ type: 'SafeInt', required: true, ...described(nonce) }),
      yParity: t.field({ type: 'SafeInt', required: true, ...described(yParity) }),
      r: t.field({ type: 'Hex', required: true, ...described(r) }),
      s: t.field({ type: 'Hex', required: true, ...described(s) }),
    }
  },
})

export const QuoteInputType = builder
  .inputType('QuoteInput', {
    description:
      'Currencies, amount, accounts and execution options of a swap or transfer to quote.',
    fields: (t) => ({
      ...orderFields(t),
      txsGasLimit: t.field({ type: 'SafeInt', ...described(quoteFields.txsGasLimit) }),
      authorizationList: t.field({
        type: [AuthorizationInputType],
        ...described(quoteFields.authorizationList),
      }),
      additionalData: t.field({ type: 'JsonObject', ...described(quoteFields.additionalData) }),
      referrerAddress: t.field({ type: 'Address', ...described(quoteFields.referrerAddress) }),
      topupGas: t.boolean(described(quoteFields.topupGas)),
      topupGasAmount: t.field({ type: 'MicroUsd', ...described(quoteFields.topupGasAmount) }),
      enableTrueExactOutput: t.boolean(described(quoteFields.enableTrueExactOutput)),
      explicitDeposit: t.boolean(described(quoteFields.explicitDeposit)),
      permitExpiry: t.field({ type: 'SafeInt', ...described(quoteFields.permitExpiry) }),
      strict: t.boolean(described(quoteFields.strict)),
      latePaymentSlippageTolerance: t.field({
        type: 'Bps',
        ...described(quoteFields.latePaymentSlippageTolerance),
      }),
      gasLimitForDepositSpecifiedTxs: t.field({
        type: 'SafeInt',
        ...described(quoteFields.gasLimitForDepositSpecifiedTxs),
      }),
      forceSolverExecution: t.boolean(described(quoteFields.forceSolverExecution)),
      subsidizeFees: t.boolean(described(quoteFields.subsidizeFees)),
      maxSubsidizationAmount: t.field({
        type: 'MicroUsd',
        ...described(quoteFields.maxSubsidizationAmount),
      }),
      subsidizeRent: t.boolean(described(quoteFields.subsidizeRent)),
      includedSwapSources: t.stringList(described(quoteFields.includedSwapSources)),
      excludedSwapSources: t.stringList(described(quoteFields.excludedSwapSources)),
      includedOriginSwapSources: t.stringList(described(quoteFields.includedOriginSwapSources)),
      includedDestinationSwapSources: t.stringList(
        described(quoteFields.includedDestinationSwapSources),
      ),
      originGasOverhead: t.field({ type: 'SafeInt', ...described(quoteFields.originGasOverhead) }),
      depositFeePayer: t.field({ type: 'Address', ...described(quoteFields.depositFeePayer) }),
      maxRouteLength: t.int(described(quoteFields.maxRouteLength)),
      useSharedAccounts: t.boolean(described(quoteFields.useSharedAccounts)),
      includeComputeUnitLimit: t.boolean(described(quoteFields.includeComputeUnitLimit)),
      overridePriceImpact: t.boolean(described(quoteFields.overridePriceImpact)),
      disableOriginSwaps: t.boolean(described(quoteFields.disableOriginSwaps)),
      fixedRate: t.field({ type: 'Bps', ...described(quoteFields.fixedRate) }),
    }),
  })
  .validate(quoteInput)
