export type ServerSentEvent = Readonly<{ event: string; data: unknown }>

/** Yields the events of a stream as they arrive, without comments. */
export async function* readEventStream(
  response: Response,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  if (response.body === null) throw new Error('There is no body')
  let text = ''
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    text += chunk
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const fields = new Map(
        block.split('\n').map((line): [string, string] => {
          const colon = line.indexOf(':')
          return [line.slice(0, colon), line.slice(colon + 1).trimStart()]
        }),
      )
      const event = fields.get('event')
      if (event === undefined) continue
      const data = fields.get('data') ?? ''
      yield { event, data: data === '' ? undefined : JSON.parse(data) }
    }
  }
}
