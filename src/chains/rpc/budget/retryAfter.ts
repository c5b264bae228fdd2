/** Longer times are cut to a minute, so that no endpoint can stop all requests for long. */
const maxRetryAfterMs = 60_000

/**
 * Parses a `Retry-After` header, in seconds or as an HTTP date. Returns milliseconds, at most a minute.
 * Undefined if the header is missing or invalid.
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

/** Accepts only the format that RFC 9110 requires of senders, because `Date.parse` accepts almost any text. */
const dateOf = (text: string): number =>
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)
    ? Date.parse(text)
    : Number.NaN
