/** A disc with the first letters of the symbol, as a data URI: wallets then need no host for it. */
export function logoUri(symbol: string): string {
  const letters = [...symbol]
  const hue = letters.reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) % 360
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">`,
    `<circle cx="16" cy="16" r="16" fill="hsl(${hue},60%,40%)"/>`,
    `<text x="16" y="20" font-family="sans-serif" font-size="11" text-anchor="middle" fill="#fff">`,
    `${letters.slice(0, 3).join('')}</text></svg>`,
  ].join('')
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}
