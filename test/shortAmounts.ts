/** An answer with amounts in a line each. */
export const shortAmounts = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_, each) => {
    if (each?.symbol !== undefined) return `${each.symbol} on ${each.chainId}`
    if (each?.amountFormatted === undefined) return each
    const { amount, amountFormatted, amountUsd, currency, minimumAmount } = each
    return `${amount} (${amountFormatted}) ${currency}, $${amountUsd}, at least ${minimumAmount}`
  })
