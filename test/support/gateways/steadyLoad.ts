import { setTimeout } from 'node:timers/promises'
import { nativeAddress } from '#src/core/units/address.ts'
import { users } from '#src/devnet/accounts.ts'

const [origin, destination] = [990001, 990002] as const

/** Milliseconds of a client's pause between an answer and its next request: the machine needs time for the rest. */
const paceMs = 100

/** Clients that each send one request after the other: prices, and every fourth time a quote, which is stored. */
export function startLoad(
  url: string,
  { clients, mayAsk = () => true }: Readonly<{ clients: number; mayAsk?: () => boolean }>,
) {
  let stopped = false
  let answered = 0
  const failures: string[] = []

  async function ask(path: string, body: object): Promise<void> {
    try {
      const response = await fetch(url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      const text = await response.text()
      if (response.ok) answered += 1
      else failures.push(`${path}: ${response.status} ${text}`)
    } catch (error) {
      failures.push(`${path}: ${(error as Error).cause ?? error}`)
    }
  }

  async function run(client: number): Promise<void> {
    const user = users[client % users.length]?.address
    for (let at = client; !stopped && mayAsk(); at += 1) {
      await setTimeout(paceMs)
      await ask(at % 4 === 0 ? '/quote/v2' : '/price', {
        user,
        originChainId: origin,
        originCurrency: nativeAddress,
        destinationChainId: destination,
        destinationCurrency: nativeAddress,
        amount: `${10n ** 16n + BigInt(at)}`,
        tradeType: 'EXACT_INPUT',
      })
    }
  }

  const ended = Promise.all(Array.from({ length: clients }, (_, client) => run(client)))
  return {
    answered: () => answered,
    /** Each request that was not answered with 200. */
    failures: failures as readonly string[],
    /** Resolves when all clients have stopped. */
    ended,
    stop: async (): Promise<void> => {
      stopped = true
      await ended
    },
  }
}
