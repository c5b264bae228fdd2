/** The body is larger than the limit. The rest of it is not read. */
export class BodyTooLargeError extends Error {
  constructor(maxBytes: number) {
    super(`the body has more than ${maxBytes} bytes`)
    this.name = 'BodyTooLargeError'
  }
}

/**
 * The text of a body of at most `maxBytes`. Counts the received bytes, because the announced length may be wrong.
 * @throws BodyTooLargeError
 */
export async function readBody(
  body: AsyncIterable<Uint8Array> | null,
  maxBytes: number,
): Promise<string> {
  const parts: Uint8Array[] = []
  let length = 0
  // Leaving the loop cancels the body.
  for await (const part of body ?? []) {
    length += part.byteLength
    if (length > maxBytes) throw new BodyTooLargeError(maxBytes)
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}
