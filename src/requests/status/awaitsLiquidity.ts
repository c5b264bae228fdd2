import type { QuotedRequest } from '#src/requests/quotedRequest.ts'

/** Whether the quote exceeded the solver's balance, so that its fill may wait for liquidity. */
export const awaitsLiquidity = (request: QuotedRequest): boolean =>
  request.execution === 'solver' && request.fill.externalLiquiditySeconds !== undefined
