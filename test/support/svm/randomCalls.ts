import { type Pubkey, svmNative } from '#src/core/units/svm/pubkey.ts'
import {
  depositCall,
  markFilledCall,
  sweepCall,
} from '#src/protocol/svm/depository/depositCalls.ts'
import {
  type DepositKey,
  depositAddress,
  ledgerAddress,
  recordAddress,
} from '#src/protocol/svm/depository/depositoryAddresses.ts'
import { configureCall, setLimitCall } from '#src/protocol/svm/depository/ownerCalls.ts'
import { exitCall, refundCall, settleCall } from '#src/protocol/svm/depository/payoutCalls.ts'
import { associatedTokenAddress } from '#src/protocol/svm/derivedAddress.ts'
import type { Instruction } from '#src/protocol/svm/instruction.ts'
import {
  allocator,
  type DepositoryRig,
  depositor,
  eur,
  hourly,
  mallory,
  orderId,
  owner,
  payee,
  payer,
  usd,
  user,
} from './depositoryRig.ts'

/** Numbers that look random: the same ones for the same seed. */
export type Draw = (below: number) => number

/** @source Marsaglia: Xorshift RNGs */
export function drawsOf(seed: number): Draw {
  let state = seed | 1
  return (below) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
}

const pick = <Value>(draw: Draw, values: readonly [Value, ...Value[]]): Value =>
  values[draw(values.length)] ?? values[0]

const people = [user, depositor, payer, payee, mallory] as const
const amounts = [
  0n,
  1n,
  999n,
  890_880n,
  1_000_000n,
  3_000_000_000n,
  hourly,
  2n ** 64n - 1n,
] as const

/** Few, so that calls meet the deposits of others. */
const drawKey = (draw: Draw): DepositKey => ({
  id: orderId(`order ${draw(3)}`),
  depositor: pick(draw, [depositor, user, payee]),
  currency: pick(draw, [svmNative, usd, eur]),
  sender: pick(draw, [user, depositor, mallory]),
  nonce: BigInt(draw(2)),
})

/** A call that has a good chance to succeed, about one of `open` if it is a payout. */
export function drawCall(rig: DepositoryRig, open: readonly DepositKey[], draw: Draw): Instruction {
  const { program } = rig
  const key = drawKey(draw)
  const amount = pick(draw, amounts)
  switch (draw(8)) {
    case 0:
    case 1:
      return depositCall(program, { ...key, amount, payer: pick(draw, people) })
    case 2: {
      // What an address holds may also stay there for a later sweep.
      const paid = amount > hourly ? 1_000_000n : amount + 1_000_000n
      rig.payAddress(key, key.currency, paid)
      return sweepCall(program, { ...key, sweeper: pick(draw, people) })
    }
    case 3:
      return drawOwnerCall(rig, draw)
    case 4: {
      const deadline = rig.seconds + BigInt(draw(3) - 1)
      return markFilledCall(program, { solver: pick(draw, people), id: key.id, deadline })
    }
    default:
      return drawPayout(rig, open[draw(Math.max(1, open.length))] ?? key, draw)
  }
}

function drawOwnerCall(rig: DepositoryRig, draw: Draw): Instruction {
  const signer = pick(draw, [owner, owner, mallory])
  if (draw(2) === 0) {
    const roles = { owner, allocator, payee: pick(draw, [payee, payee, payer]) }
    return configureCall(rig.program, signer, roles)
  }
  const currency = pick(draw, [svmNative, usd, eur])
  const limit = BigInt(draw(4)) * hourly
  return setLimitCall(rig.program, { owner: signer, currency, hourly: limit })
}

function drawPayout(rig: DepositoryRig, key: DepositKey, draw: Draw): Instruction {
  const { owed = 1n, slot = 1n, rentPayer = payer } = rig.record(key) ?? {}
  const { payee: first, pendingPayee, payeeAt } = rig.configState()
  const due = payeeAt !== 0n && rig.seconds >= payeeAt ? pendingPayee : first
  const signer = draw(6) === 0 ? mallory : allocator
  const payout = { ...key, allocator: signer, payee: due, rentPayer, owed, slot }
  const kind = draw(3)
  if (kind === 0) return settleCall(rig.program, payout)
  if (kind === 1) return exitCall(rig.program, payout)
  const cost = pick(draw, [0n, 0n, 1n, owed / 3n, 2n ** 64n - 1n])
  const amount = pick(draw, [owed, owed / 2n, owed - owed / 3n, owed + 1n, 2n ** 64n - owed])
  return refundCall(rig.program, { ...payout, amount: BigInt.asUintN(64, amount), cost })
}

const wallets: ReadonlySet<Pubkey> = new Set([...people, owner, allocator])

/** The call with something that an attacker may change. Nobody can sign for an account without a key. */
export function spoil(
  rig: DepositoryRig,
  call: Instruction,
  open: readonly DepositKey[],
  draw: Draw,
): Instruction {
  const changed = change(rig, call, open, draw)
  const keys = changed.keys.map((meta) => ({
    ...meta,
    isSigner: meta.isSigner && wallets.has(meta.pubkey),
  }))
  return { ...changed, keys }
}

function change(
  rig: DepositoryRig,
  call: Instruction,
  open: readonly DepositKey[],
  draw: Draw,
): Instruction {
  const place = draw(call.keys.length)
  const other = draw(call.keys.length)
  const replace = (changes: Partial<Instruction['keys'][number]>): Instruction => ({
    ...call,
    keys: call.keys.map((meta, at) => (at === place ? { ...meta, ...changes } : meta)),
  })
  switch (draw(7)) {
    case 0:
      return replace({ isSigner: false })
    case 1:
      return replace({ isWritable: draw(2) === 0 })
    case 2:
      return replace({ pubkey: call.keys[other]?.pubkey ?? mallory })
    case 3:
      return { ...call, keys: [...call.keys.slice(0, place), ...call.keys.slice(place + 1)] }
    case 4: {
      const data = call.data.slice()
      data[draw(data.length)] = draw(256)
      return { ...call, data }
    }
    default:
      return replace({ pubkey: drawStranger(rig, open, draw) })
  }
}

function drawStranger(rig: DepositoryRig, open: readonly DepositKey[], draw: Draw): Pubkey {
  const key = open[draw(Math.max(1, open.length))] ?? drawKey(draw)
  const currency = pick(draw, [svmNative, usd, eur])
  const token = pick(draw, [usd, eur])
  const holder = pick(draw, [...people, rig.vault])
  return pick(draw, [
    pick(draw, people),
    recordAddress(rig.program, key),
    ledgerAddress(rig.program, currency),
    associatedTokenAddress(holder, token),
    depositAddress(rig.program, key),
    token,
    rig.vault,
    rig.config,
    rig.program,
  ])
}
