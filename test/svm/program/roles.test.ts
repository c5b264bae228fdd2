import { expect, it } from 'vitest'
import { type Pubkey, svmNative } from '#src/core/units/svm/pubkey.ts'
import {
  configureCall,
  initializeCall,
  setLimitCall,
} from '#src/protocol/svm/depository/ownerCalls.ts'
import { settleCall } from '#src/protocol/svm/depository/payoutCalls.ts'
import {
  allocator,
  DepositoryRig,
  exitSeconds,
  hourly,
  mallory,
  owner,
  payee,
  plainDeposit,
  usd,
  user,
} from '#test/support/svm/depositoryRig.ts'
import { uninitialized } from '#test/support/svm/hostileCalls.ts'
import { named, ProgramChain } from '#test/support/svm/programChain.ts'

const roles = { owner, allocator, payee }
const payeeDelay = 172_800n

it('is initialized by the upgrade authority alone, once', () => {
  const chain = new ProgramChain()
  chain.fund(mallory)
  const call = (authority: Pubkey, changes = {}) =>
    chain.send([initializeCall(chain.program, { ...roles, authority, exitSeconds, ...changes })])
      .error
  expect(call(mallory)).toBe('NotTheUpgradeAuthority')
  chain.setUpgradeAuthority(undefined)
  expect(call(chain.authority)).toBe('NotTheUpgradeAuthority')
  chain.setUpgradeAuthority(chain.authority)
  for (const refused of [{ exitSeconds: 0n }, { exitSeconds: -1n }, { exitSeconds: 1n << 62n }])
    expect(call(chain.authority, refused)).toBe('InvalidExitTime')
  for (const role of ['owner', 'allocator', 'payee'])
    expect(call(chain.authority, { [role]: svmNative })).toBe('InvalidRole')
  expect(call(chain.authority)).toBeUndefined()
  expect(call(chain.authority)).toBe('AlreadyInitialized')
})

it('is initialized at addresses that somebody has paid before', () => {
  const rig = new DepositoryRig([])
  expect(rig.configState()).toEqual({
    ...roles,
    pendingPayee: svmNative,
    payeeAt: 0n,
    exitSeconds,
  })
  expect(rig.lamports(rig.vault)).toBe(rig.rentMinimum(0))
  const { chain, call, config } = uninitialized()
  chain.fund(config, chain.rentMinimum(0))
  expect(chain.send([call]).error).toBeUndefined()
})

it('changes owner and allocator at once, and the payee two days later', () => {
  const rig = new DepositoryRig()
  const [next, other] = [named('next'), named('other')]
  const change = (signer: Pubkey, changes: Partial<typeof roles>) =>
    rig.send([configureCall(rig.program, signer, { ...roles, ...changes })]).error
  expect(change(mallory, { owner: mallory })).toBe('NotTheOwner')
  expect(change(owner, { allocator: mallory, payee: next })).toBeUndefined()
  const { payeeAt } = rig.configState()
  expect(rig.configState()).toMatchObject({ allocator: mallory, payee, pendingPayee: next })
  expect(payeeAt).toBe(rig.seconds + payeeDelay)
  // Another change does not delay it again.
  rig.advance(10n)
  expect(change(owner, { payee: next })).toBeUndefined()
  expect(rig.configState()).toMatchObject({ allocator, payeeAt })
  const payout = rig.deposited()
  const early = settleCall(rig.program, { ...payout, payee: next })
  expect(rig.send([early]).error).toBe('WrongAccount')
  rig.advance(payeeDelay)
  expect(rig.send([settleCall(rig.program, payout)]).error).toBe('WrongAccount')
  expect(rig.send([early]).error).toBeUndefined()
  // The one that counts can be confirmed, and another one be taken back.
  expect(change(owner, { payee: other })).toBeUndefined()
  expect(rig.configState()).toMatchObject({ payee: next, pendingPayee: other })
  expect(change(owner, { payee: next, owner: user })).toBeUndefined()
  expect(rig.configState()).toMatchObject({ payee: next, pendingPayee: svmNative, payeeAt: 0n })
  expect(change(owner, {})).toBe('NotTheOwner')
  expect(change(user, { payee: rig.vault })).toBe('InvalidRole')
})

it('has a limit of settlements, which recovers within an hour', () => {
  const rig = new DepositoryRig()
  const half = hourly / 2n
  const payouts = [0n, 1n, 2n].map((nonce) => rig.deposited({ nonce, amount: half }))
  const settled = payouts.map((each) => rig.send([settleCall(rig.program, each)]).error)
  expect(settled).toEqual([undefined, undefined, 'LimitExceeded'])
  const settleLast = () => rig.send(payouts.slice(2).map((each) => settleCall(rig.program, each)))
  rig.advance(1799n)
  expect(settleLast().error).toBe('LimitExceeded')
  rig.advance(1n)
  expect(settleLast().error).toBeUndefined()
  expect(rig.ledger(svmNative)).toMatchObject({ used: hourly, updatedAt: rig.seconds })
})

it('lets one deposit above the limit be settled while nothing of it is used', () => {
  const rig = new DepositoryRig()
  const small = rig.deposited({ currency: usd, amount: 1n })
  const large = rig.deposited({ currency: usd, amount: 3n * hourly, nonce: 1n })
  rig.succeed([settleCall(rig.program, small)])
  expect(rig.send([settleCall(rig.program, large)]).error).toBe('LimitExceeded')
  rig.advance(3600n)
  rig.succeed([settleCall(rig.program, large)])
  expect(rig.ledger(usd).used).toBe(3n * hourly)
  const next = rig.deposited({ currency: usd, amount: hourly })
  rig.advance(3n * 3600n - 2n)
  expect(rig.send([settleCall(rig.program, next)]).error).toBe('LimitExceeded')
  rig.advance(3600n)
  rig.succeed([settleCall(rig.program, next)])
})

it('keeps what is used when the limit changes, and pays nothing at a limit of zero', () => {
  const rig = new DepositoryRig()
  const set = (limit: bigint, signer = owner) =>
    rig.send([setLimitCall(rig.program, { owner: signer, currency: svmNative, hourly: limit })])
      .error
  const first = rig.deposited({ amount: hourly })
  rig.succeed([settleCall(rig.program, first)])
  const second = rig.deposited({ ...plainDeposit, amount: hourly })
  expect(set(2n * hourly, mallory)).toBe('NotTheOwner')
  rig.advance(899n)
  // A quarter has recovered, at the old rate.
  expect(set(2n * hourly)).toBeUndefined()
  expect(rig.ledger(svmNative)).toMatchObject({ used: (3n * hourly) / 4n, hourly: 2n * hourly })
  rig.succeed([settleCall(rig.program, second)])
  expect(set(0n)).toBeUndefined()
  const third = rig.deposited({ amount: 1_000_000n })
  rig.advance(1_000_000n)
  expect(rig.send([settleCall(rig.program, third)]).error).toBe('LimitExceeded')
})
