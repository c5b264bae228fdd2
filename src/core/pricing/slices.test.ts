import { expect, it } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import { createGraph, updateGraph } from '#src/core/router/graph.ts'
import { createPausable } from '#src/core/steps.ts'
import { generateTwoChains, type Trade } from '#test/bench/size/twoChains.ts'
import { runs } from '#test/support/runs.ts'
import type { Market } from './market.ts'
import type { MultiPrice, Price } from './price.ts'
import { priceMulti } from './priceMulti.ts'
import { priceSwap } from './priceSwap.ts'

const chains = generateTwoChains(7, 200)

/** A market whose routes nobody has searched for yet. */
const newMarket = (): Market => chains.marketFor({ createGraph, updateGraph })

const kinds: ((trade: Trade, market: Market) => Price | MultiPrice)[] = [
  ({ exactInput }, market) => priceSwap(exactInput, market),
  ({ exactOutput }, market) => priceSwap(exactOutput, market),
  ({ expectedOutput }, market) => priceSwap(expectedOutput, market),
  ({ hopeless }, market) => priceSwap(hopeless, market),
  ({ multiInput }, market) => priceMulti(multiInput(5), market),
  ({ multiInput, exactOutput: { amount } }, market) =>
    priceMulti({ ...multiInput(5), output: amount }, market),
]

/** The price without its functions, or the error. */
function outcomeOf(price: () => Price | MultiPrice): object {
  try {
    return { ...price(), originValueOf: undefined }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { code: error.code, message: error.message, data: error.data }
  }
}

it('prices an order that is paused after each step like one that is not', () => {
  let pauses = 0
  for (let round = 0; round < runs(20, 5); round += 1) {
    const trade = chains.drawTrade([1e3, 3e6])
    for (const price of kinds) {
      const [whole, sliced] = [newMarket(), newMarket()]
      const { run } = createPausable(
        () => price(trade, sliced),
        () => 0,
      )
      let paused: ReturnType<typeof run>
      for (paused = run(0); paused === undefined; paused = run(0)) pauses += 1
      expect(outcomeOf(paused)).toEqual(outcomeOf(() => price(trade, whole)))
    }
  }
  expect(pauses).toBeGreaterThan(1_000)
})

it('prices orders that take turns on one market like orders alone', () => {
  for (let round = 0; round < runs(10, 3); round += 1) {
    const trade = chains.drawTrade([1e4, 3e6])
    const shared = newMarket()
    const waiting = new Map(
      kinds.map((price) => [
        price,
        createPausable(
          () => price(trade, shared),
          () => 0,
        ),
      ]),
    )
    while (waiting.size > 0)
      for (const [price, { run }] of waiting) {
        const ended = run(0)
        if (ended === undefined) continue
        waiting.delete(price)
        expect(outcomeOf(ended)).toEqual(outcomeOf(() => price(trade, newMarket())))
      }
  }
})
