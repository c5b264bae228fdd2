import { createConnection } from 'node:net'
import type { PriceInput } from './markets.ts'

const query =
  'query Price($input: PriceInput!) { price(input: $input) { details { rate currencyOut { amount } } } }'

/** Asks for prices one after the other, at most `perSecond` of them. Returns the milliseconds of each answer, sorted. */
export async function askPrices(
  port: number,
  inputs: readonly PriceInput[],
  { seconds, perSecond }: Readonly<{ seconds: number; perSecond: number }>,
): Promise<readonly number[]> {
  const socket = createConnection(port, '127.0.0.1').setNoDelay()
  const milliseconds: number[] = []
  const until = performance.now() + seconds * 1_000
  for (let asked = 0; performance.now() < until; asked += 1) {
    const body = JSON.stringify({ query, variables: { input: inputs[asked % inputs.length] } })
    const startedAt = performance.now()
    const answered = readAnswer(socket)
    socket.write(
      `POST /graphql HTTP/1.1\r\nhost: bench\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    )
    await answered
    const took = performance.now() - startedAt
    milliseconds.push(took)
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, 1_000 / perSecond - took)))
  }
  socket.destroy()
  return milliseconds.sort((one, other) => one - other)
}

/** Resolves with the last byte of an answer. */
const readAnswer = (socket: ReturnType<typeof createConnection>): Promise<void> =>
  new Promise((resolve) => {
    let text = ''
    const onData = (chunk: Buffer) => {
      text += chunk.toString('latin1')
      const [head, length] = /^[\s\S]*?content-length: (\d+)[\s\S]*?\r\n\r\n/i.exec(text) ?? []
      if (head === undefined || text.length < head.length + Number(length)) return
      socket.off('data', onData)
      resolve()
    }
    socket.on('data', onData)
  })
