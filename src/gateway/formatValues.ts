/** Two decimals: hundredths of a percent `-150n` as `"-1.50"`. */
export function formatPercent(hundredths: bigint): string {
  const magnitude = hundredths < 0n ? -hundredths : hundredths
  const digits = magnitude.toString().padStart(3, '0')
  return `${hundredths < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}
