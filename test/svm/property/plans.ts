import fc from 'fast-check'
import { type Pubkey, svmNative } from '#src/core/units/svm/pubkey.ts'
import {
  depositCall,
  markFilledCall,
  sweepCall,
} from '#src/protocol/svm/depository/depositCalls.ts'
import {
  type DepositKey,
  depositAddress,
  fillMarkerAddress,
  ledgerAddress,
  recordAddress,
} from '#src/protocol/svm/depository/depositoryAddresses.ts'
import { configureCall, setLimitCall } from '#src/protocol/svm/depository/ownerCalls.ts'
import { exitCall, refundCall, settleCall } from '#src/protocol/svm/depository/payoutCalls.ts'
import { associatedTokenAddress } from '#src/protocol/svm/derivedAddress.ts'
import type { Instruction } from '#src/protocol/svm/instruction.ts'
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
import { payeeAt } from './depositoryModel.ts'
import { currencies, type HostileWorld } from './hostileWorld.ts'
import { amount, type Mutation, mutate, mutation, pick } from './mutations.ts'

const ids = ['one', 'two'].map(orderId)
const depositors = [depositor, user, mallory, payee]
const senders = [user, mallory]
const payers = [payer, user, mallory]

const methods = [
  ...['deposit', 'deposit', 'deposit', 'sweep', 'settle', 'refund', 'exit'],
  ...['markFilled', 'configure', 'setLimit'],
] as const

const keyPlan = {
  id: fc.nat(1),
  depositor: fc.nat(3),
  currency: fc.nat(3),
  sender: fc.nat(1),
  nonce: fc.bigInt(0n, 1n),
}

const callPlan = fc.record({
  ...keyPlan,
  method: fc.constantFrom(...methods),
  payer: fc.nat(2),
  amount,
  cost: amount,
  /** Of the open records. */
  record: fc.nat(99),
  mutations: fc.oneof(
    { weight: 2, arbitrary: fc.constant<Mutation[]>([]) },
    { weight: 3, arbitrary: fc.array(mutation, { minLength: 1, maxLength: 2 }) },
  ),
  /** Whether owner and allocator sign what they are asked to. */
  isPrivileged: fc.constantFrom(true, true, false),
})

type CallPlan = typeof callPlan extends fc.Arbitrary<infer Plan> ? Plan : never

/** What happens next. */
export const action = fc.oneof(
  {
    weight: 14,
    arbitrary: fc.record({
      kind: fc.constant('send'),
      calls: fc.oneof(
        { weight: 4, arbitrary: fc.array(callPlan, { minLength: 1, maxLength: 1 }) },
        { weight: 1, arbitrary: fc.array(callPlan, { minLength: 2, maxLength: 3 }) },
      ),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('advance'),
      seconds: fc.constantFrom(0n, 1n, 59n, 600n, 3_600n, 86_400n, 172_800n),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ ...keyPlan, kind: fc.constant('donate'), to: fc.nat(4) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      ...keyPlan,
      kind: fc.constant('payAddress'),
      amount: fc.bigInt(1_000_000n, 2_000_000_000n),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      ...keyPlan,
      kind: fc.constant('freeze'),
      isFrozen: fc.constantFrom(true, false, false),
    }),
  },
)

export type Action = typeof action extends fc.Arbitrary<infer Each> ? Each : never

type KeyPlan = Pick<CallPlan, 'id' | 'depositor' | 'currency' | 'sender' | 'nonce'>

export const keyOf = (plan: KeyPlan): DepositKey => ({
  id: pick(ids, plan.id),
  depositor: pick(depositors, plan.depositor),
  currency: pick(currencies, plan.currency),
  sender: pick(senders, plan.sender),
  nonce: plan.nonce,
})

/** An instruction as a client makes it. */
function honestCall(world: HostileWorld, plan: CallPlan): Instruction {
  const { program } = world
  const key = keyOf(plan)
  const config = world.owned().config.current
  const payerOfRent = pick(payers, plan.payer)
  switch (plan.method) {
    case 'sweep':
      return sweepCall(program, { ...key, sweeper: payerOfRent })
    case 'settle':
    case 'refund':
    case 'exit':
      return payout(world, plan)
    case 'markFilled': {
      const deadline = world.seconds - 1n + BigInt(plan.payer)
      return markFilledCall(program, { solver: payerOfRent, id: key.id, deadline })
    }
    case 'configure': {
      const roles = {
        owner: pick([owner, owner, payer], plan.payer),
        allocator: pick([allocator, allocator, allocator, payer], plan.depositor),
        payee: pick([payee, user], plan.sender),
      }
      return configureCall(program, config.owner, roles)
    }
    case 'setLimit': {
      const limit = pick([plan.amount, hourly], plan.sender)
      return setLimitCall(program, { owner: config.owner, currency: key.currency, hourly: limit })
    }
    default:
      return depositCall(program, { ...key, amount: plan.amount, payer: payerOfRent })
  }
}

/** A payout of one of the open deposits. */
function payout(world: HostileWorld, plan: CallPlan): Instruction {
  const { program } = world
  const {
    records,
    config: { current: config },
  } = world.owned()
  const [address, record] = records.size === 0 ? [] : pick([...records], plan.record)
  const key = world.deposits.get(address ?? program) ?? keyOf(plan)
  const { owed, slot, rentPayer } = record ?? { owed: 1n, slot: 1n, rentPayer: payer }
  const signed = {
    ...{ ...key, owed, slot, rentPayer },
    ...{ allocator: config.allocator, payee: payeeAt(config, world.seconds) },
  }
  if (plan.method === 'exit') return exitCall(program, { ...key, rentPayer })
  if (plan.method === 'settle') return settleCall(program, signed)
  const cost = plan.cost % owed
  const most = owed - cost
  const refunded = plan.isPrivileged ? ((plan.amount + most - 1n) % most) + 1n : plan.amount
  return refundCall(program, { ...signed, amount: plan.record % 3 === 0 ? most : refunded, cost })
}

/** Only accounts whose keys somebody has can sign. */
function signable(world: HostileWorld, { isPrivileged }: CallPlan, instruction: Instruction) {
  const config = world.owned().config.current
  const privileged = new Set([config.owner, config.allocator])
  const people = new Set([owner, allocator, payee, user, depositor, payer, mallory])
  const keys = instruction.keys.map((meta) => {
    const maySign = people.has(meta.pubkey) && (isPrivileged || !privileged.has(meta.pubkey))
    return { ...meta, isSigner: meta.isSigner && maySign }
  })
  return { ...instruction, keys }
}

/** The instructions of a plan, and whether a client would send them. */
export function instructionsOf(world: HostileWorld, plans: readonly CallPlan[]) {
  const instructions = plans.map((plan) => {
    const call = plan.mutations.reduce(
      (changed: Instruction, change) => mutate(world, changed, change),
      honestCall(world, plan),
    )
    return signable(world, plan, call)
  })
  const isHonest = plans.every(({ mutations }) => mutations.length === 0)
  return { instructions, isHonest }
}

/** Where lamports may be before anything else is. */
export function vacantPlaces(world: HostileWorld, plan: KeyPlan): readonly Pubkey[] {
  const { program, vault } = world
  const key = keyOf(plan)
  return [
    vault,
    recordAddress(program, key),
    depositAddress(program, key),
    fillMarkerAddress(program, { solver: payer, id: key.id }),
    ledgerAddress(program, key.currency),
  ]
}

/** A token account that its mint's authority may freeze; undefined for SOL. */
export function frozenPlace({ vault }: HostileWorld, plan: KeyPlan): Pubkey | undefined {
  const { currency, depositor: holder } = keyOf(plan)
  if (currency === svmNative) return undefined
  return associatedTokenAddress(plan.sender === 0 ? vault : holder, currency)
}
