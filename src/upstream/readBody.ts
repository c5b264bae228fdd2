/** The body is larger than the limit. The rest of it is not read. */
export class BodyTooLargeError extends Error {
  constructor(maxBytes: number) {
    super(`the body has more than ${maxBytes} bytes`)
  }
}

/** Reads a body of at most `maxBytes`, independent of its announced length. @throws BodyTooLargeError */
export async function readBody(
  { body }: Pick<Response, 'body'>,
  maxBytes: number,
): Promise<string> {
  if (body === null) return ''
  const parts: Uint8Array[] = []
  let length = 0
  // Leaving the loop cancels the body.
  for await (const part of body) {
    length += part.byteLength
    if (length > maxBytes) throw new BodyTooLargeError(maxBytes)
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}
