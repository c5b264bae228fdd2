import type { DepositoryMethod } from '#src/protocol/svm/depository/depositoryCall.ts'
import { HostileWorld } from './hostileWorld.ts'
import { type Action, frozenPlace, instructionsOf, keyOf, vacantPlaces } from './plans.ts'

/** How often each kind of plan has succeeded, and each reason for which one failed. */
export class Tally {
  instructions = 0
  readonly #counts = new Map<string, number>()

  add(name: string): void {
    this.#counts.set(name, this.of(name) + 1)
  }

  of(name: DepositoryMethod | (string & {})): number {
    return this.#counts.get(name) ?? 0
  }

  all(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#counts].sort())
  }
}

/** Runs the actions in a new world, which throws at the first thing that the model does not expect. */
export function runActions(actions: readonly Action[], tally: Tally): void {
  const world = new HostileWorld()
  for (const each of actions) runAction(world, each, tally)
}

function runAction(world: HostileWorld, each: Action, tally: Tally): void {
  if (each.kind !== 'send') world.forget()
  switch (each.kind) {
    case 'advance':
      world.advance(each.seconds)
      break
    case 'donate': {
      const place = vacantPlaces(world, each)[each.to]
      if (place !== undefined) world.donate(place, each.nonce === 0n ? 900_000n : 5_000_000n)
      break
    }
    case 'payAddress': {
      const { currency, ...order } = keyOf(each)
      world.payAddress(order, currency, each.amount)
      break
    }
    case 'freeze': {
      const account = frozenPlace(world, each)
      if (account !== undefined) world.freeze(account, each.isFrozen)
      break
    }
    case 'send': {
      const { instructions, isHonest } = instructionsOf(world, each.calls)
      const error = world.attempt(instructions, isHonest)
      tally.instructions += instructions.length
      if (error !== undefined) {
        tally.add(error)
        break
      }
      for (const { method, currency } of each.calls)
        tally.add(
          `${method} ${isHonest ? 'honest' : 'changed'} ${currency === 0 ? 'SOL' : 'token'}`,
        )
    }
  }
}
