import { subscribeByEvents, subscribeBySocket } from '#test/support/clients/rawSubscriber.ts'
import type { PriceInput } from './markets.ts'

/** Starts subscribers, half by server-sent events and half by WebSocket. Subscriber n follows input n modulo their number. */
export type Join = Readonly<{ port: number; subscribers: number; inputs: readonly PriceInput[] }>

/** The events since the last `read`: subscriber, block, and time in milliseconds since 1970 of each. */
export type Read = Readonly<{
  subscribers: readonly number[]
  blocks: readonly number[]
  times: readonly number[]
  /** Events that repeat their predecessor. */
  faults: number
}>

const query = `subscription Live($input: PriceInput!) {
  price(input: $input) {
    price { details { rate currencyOut { amount amountFormatted minimumAmount } } fees { gas { amount } } }
    failure { code }
    blocks { number }
  }
}`

let subscribers: number[] = []
let blocks: number[] = []
let times: number[] = []
let faults = 0
const last: string[] = []

function note(subscriber: number, text: string): void {
  const at = performance.timeOrigin + performance.now()
  for (const [, data = '', list = ''] of text.matchAll(/"data":(\{.*?)"blocks":\[(.*?)\]/g)) {
    if (last[subscriber] === data) faults += 1
    last[subscriber] = data
    subscribers.push(subscriber)
    // Blocks have one count over all chains.
    blocks.push(Math.max(...Array.from(list.matchAll(/\d+/g), Number)))
    times.push(at)
  }
}

function join({ port, inputs }: Join, subscriber: number): Promise<void> {
  const variables = { input: inputs[subscriber % inputs.length] }
  return new Promise((resolve, reject) => {
    const onText = (text: string) => {
      note(subscriber, text)
      if (text.includes('"data"')) resolve()
      if (text.includes('"errors"')) reject(new Error(text))
    }
    const by = subscriber % 2 === 0 ? subscribeByEvents : subscribeBySocket
    by({ port, query, variables }, onText).on('error', reject)
  })
}

/** A server accepts only a limited number of connections at once. */
const atOnce = 50

process.on('message', async (message: Join | 'read') => {
  if (message === 'read') {
    process.send?.({ subscribers, blocks, times, faults } satisfies Read)
    subscribers = []
    blocks = []
    times = []
    return
  }
  for (let first = 0; first < message.subscribers; first += atOnce)
    await Promise.all(
      Array.from({ length: Math.min(atOnce, message.subscribers - first) }, (_, at) =>
        join(message, first + at),
      ),
    )
  process.send?.('joined')
})
