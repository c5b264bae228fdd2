/** No endpoint silences us for longer, whatever it asks for. */
const maxRetryAfterMs = 60_000

/**
 * Milliseconds to wait as a `Retry-After` header asks, in seconds or as an HTTP date; at most a minute.
 * Undefined where there is none, or none that can be read.
 * @param now Unix time in milliseconds.
 * @source RFC 9110, 10.2.3
 */
export function parseRetryAfter(
  header: string | readonly string[] | undefined,
  now: number,
): number | undefined {
  const text = (typeof header === 'string' ? header : header?.[0])?.trim() ?? ''
  const ms = /^\d{1,10}$/.test(text) ? Number(text) * 1000 : dateOf(text) - now
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), maxRetryAfterMs)
}

/** Only of the form that RFC 9110 has senders use: `Date.parse` takes almost anything for a date. */
const dateOf = (text: string): number =>
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)
    ? Date.parse(text)
    : Number.NaN
