import { type Pubkey, svmNative } from '#src/core/units/svm/pubkey.ts'
import { ByteReader } from '#src/protocol/svm/bytes.ts'
import { ledgerAddress } from '#src/protocol/svm/depository/depositoryAddresses.ts'
import { discriminators } from '#src/protocol/svm/depository/depositoryCall.ts'
import { configureCall, setLimitCall } from '#src/protocol/svm/depository/ownerCalls.ts'
import type { Instruction } from '#src/protocol/svm/instruction.ts'
import {
  demand,
  demandAccounts,
  type ModelContext,
  type ModelState,
  payeeAt,
  payRent,
  usedAt,
} from './depositoryModel.ts'

const payeeDelay = 172_800n

const isMethod = (data: Uint8Array, method: string): boolean => {
  const [, start] = discriminators.find(([name]) => name === method) ?? []
  return start !== undefined && Buffer.compare(data.subarray(0, 8), start) === 0
}

/** Instructions that move no deposit. @throws ForbiddenError */
export function applyOwnerCall(
  state: ModelState,
  context: ModelContext,
  instruction: Instruction,
): void {
  const { data } = instruction
  const { program, seconds } = context
  const config = state.config.current
  const reader = new ByteReader(data.slice(8))
  if (isMethod(data, 'set_limit') && reader.left === 40) {
    const currency = reader.pubkey()
    const hourly = reader.u64()
    demandAccounts(
      context,
      instruction,
      setLimitCall(program, { owner: config.owner, currency, hourly }),
    )
    setLimit(state, context, { currency, hourly })
    return
  }
  demand(isMethod(data, 'configure') && reader.left === 96, 'it is an instruction that may succeed')
  const roles = { owner: reader.pubkey(), allocator: reader.pubkey(), payee: reader.pubkey() }
  demandAccounts(context, instruction, configureCall(program, config.owner, roles))
  const { owner, allocator, payee: next } = roles
  const payee = payeeAt(config, seconds)
  const isPending = config.payeeAt > seconds && config.pendingPayee === next
  const changed =
    next === payee
      ? { pendingPayee: svmNative, payeeAt: 0n }
      : { pendingPayee: next, payeeAt: seconds + payeeDelay }
  // A payee that is pending already is not delayed again.
  const pending = isPending ? {} : changed
  state.config.current = { ...config, owner, allocator, payee, ...pending }
}

function setLimit(
  state: ModelState,
  context: ModelContext,
  { currency, hourly }: Readonly<{ currency: Pubkey; hourly: bigint }>,
): void {
  const { rentMinimum, sizes, seconds: updatedAt } = context
  const ledger = state.ledgers.get(currency)
  if (ledger === undefined) {
    const account = ledgerAddress(context.program, currency)
    payRent(state, account, state.config.current.owner, rentMinimum(sizes.ledger))
  }
  const used = ledger === undefined ? 0n : usedAt(ledger, updatedAt)
  state.ledgers.set(currency, { hourly, used, updatedAt, reserved: ledger?.reserved ?? 0n })
}
