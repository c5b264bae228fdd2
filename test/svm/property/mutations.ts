import fc from 'fast-check'
import type { Pubkey } from '#src/core/units/svm/pubkey.ts'
import {
  depositAddress,
  fillMarkerAddress,
  ledgerAddress,
} from '#src/protocol/svm/depository/depositoryAddresses.ts'
import { associatedTokenAddress } from '#src/protocol/svm/derivedAddress.ts'
import type { AccountMeta, Instruction } from '#src/protocol/svm/instruction.ts'
import { programIds, sysvars } from '#src/protocol/svm/programIds.ts'
import {
  allocator,
  depositor,
  hourly,
  mallory,
  orderId,
  owner,
  payee,
  payer,
  user,
} from '#test/support/svm/depositoryRig.ts'
import { currencies, fakes, type HostileWorld } from './hostileWorld.ts'

const edges = [0n, 1n, 2n, hourly - 1n, hourly, hourly + 1n, 2n ** 63n, 2n ** 64n - 1n]

/** An amount of a deposit, a payout or a limit. */
export const amount = fc.oneof(
  { weight: 4, arbitrary: fc.bigInt(1n, 2_000_000_000n) },
  { weight: 1, arbitrary: fc.bigInt(1n, 20_000_000_000n) },
  { weight: 1, arbitrary: fc.constantFrom(...edges) },
)

const place = fc.nat(12)

/** A change of an honest instruction. */
export type Mutation =
  | Readonly<{ kind: 'replace' | 'append'; place: number; choice: number }>
  | Readonly<{ kind: 'swap' | 'copy'; place: number; other: number }>
  | Readonly<{ kind: 'drop' }>
  | Readonly<{ kind: 'unsign' | 'readOnly'; place: number }>
  | Readonly<{ kind: 'byte'; at: number; value: number }>
  | Readonly<{ kind: 'number'; at: number; amount: bigint }>
  | Readonly<{ kind: 'length'; bytes: number }>

export const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constant('replace'), place, choice: fc.nat(999) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constantFrom('swap', 'copy'), place, other: place }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('unsign', 'readOnly'), place }) },
  // The first 8 bytes are the method.
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('byte'),
      at: fc.integer({ min: 8, max: 150 }),
      value: fc.nat(255),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('number'), at: fc.nat(150), amount }) },
  {
    weight: 1,
    arbitrary: fc.oneof(
      fc.constant({ kind: 'drop' } as const),
      fc.record({ kind: fc.constant('append'), place, choice: fc.nat(999) }),
      fc.record({ kind: fc.constant('length'), bytes: fc.nat(152) }),
      fc.record({ kind: fc.constant('byte'), at: fc.nat(7), value: fc.nat(255) }),
    ),
  },
)

export const pick = <Item>(items: readonly Item[], choice: number): Item => {
  const item = items[choice % items.length]
  if (item === undefined) throw new RangeError('there is nothing to pick from')
  return item
}

/** Accounts that an attacker may put into any place. */
function pool(world: HostileWorld): readonly Pubkey[] {
  const { program, vault, config } = world
  const order = { id: orderId('one'), depositor: mallory }
  const records = [...world.deposits.keys()]
  return [
    ...[owner, allocator, payee, user, depositor, payer, mallory, program, vault, config],
    ...currencies,
    ...currencies.map((currency) => ledgerAddress(program, currency)),
    ...currencies
      .slice(1)
      .flatMap((mint) =>
        [vault, mallory, payee, user].map((each) => associatedTokenAddress(each, mint)),
      ),
    ...Object.values(fakes),
    ...Object.values(programIds),
    ...Object.values(sysvars),
    depositAddress(program, order),
    fillMarkerAddress(program, { solver: mallory, id: order.id }),
    ...records.slice(-6),
  ]
}

export function mutate(
  world: HostileWorld,
  instruction: Instruction,
  change: Mutation,
): Instruction {
  const keys = [...instruction.keys]
  const data = Uint8Array.from(instruction.data)
  const count = keys.length
  const setKey = (at: number, meta: Partial<AccountMeta>) => {
    const before = keys[at % count]
    if (before !== undefined) keys[at % count] = { ...before, ...meta }
  }
  switch (change.kind) {
    case 'replace':
      setKey(change.place, { pubkey: pick(pool(world), change.choice) })
      break
    case 'append': {
      const pubkey = pick(pool(world), change.choice)
      keys.push({ pubkey, isSigner: false, isWritable: true })
      break
    }
    case 'swap': {
      const [one, other] = [pick(keys, change.place), pick(keys, change.other)]
      setKey(change.place, { pubkey: other.pubkey })
      setKey(change.other, { pubkey: one.pubkey })
      break
    }
    case 'copy':
      setKey(change.place, { pubkey: pick(keys, change.other).pubkey })
      break
    case 'drop':
      keys.pop()
      break
    case 'unsign':
      setKey(change.place, { isSigner: false })
      break
    case 'readOnly':
      setKey(change.place, { isWritable: false })
      break
    case 'byte':
      data[change.at % data.length] = change.value
      break
    case 'number': {
      const numbers = Math.floor((data.length - 8) / 8)
      if (numbers > 0)
        new DataView(data.buffer).setBigUint64(8 * (1 + (change.at % numbers)), change.amount, true)
      break
    }
    case 'length': {
      const resized = new Uint8Array(change.bytes)
      resized.set(data.subarray(0, change.bytes))
      return { ...instruction, keys, data: resized }
    }
  }
  return { ...instruction, keys, data }
}
