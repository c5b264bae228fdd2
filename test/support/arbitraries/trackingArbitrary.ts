import fc from 'fast-check'
import { pubkeyOf } from '#src/core/units/svm/pubkey.ts'
import { toUsd } from '#src/core/units/usd.ts'
import { type Deposit, depositStatuses } from '#src/requests/state/deposit.ts'
import {
  failReasons,
  type ObservedBlock,
  type ObservedTransaction,
  type Payment,
  type RequestState,
  refundFailReasons,
  requestStatuses,
} from '#src/requests/state/requestState.ts'
import type { Booking } from '#src/requests/state/solverTransaction.ts'
import {
  purposes,
  type SolverTransaction,
  solverTransactionStatuses,
} from '#src/requests/state/solverTransaction.ts'
import type { Cursor } from '#src/requests/trackingStore.ts'
import { blockhash, rawBytes, signature } from './svmArbitrary.ts'
import {
  address,
  amount,
  calldata,
  chainId,
  hash,
  moment,
  text,
  uint256,
} from './valueArbitrary.ts'

/** A new optional field does not compile until this file generates it, and then until it is stored. */
type All<Value> = { [Key in keyof Required<Value>]: fc.Arbitrary<unknown> }

const list = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.array(arbitrary, { maxLength: 3 })
// Not `pubkey`, which often draws the same one: the sum of two deposits in a currency may exceed an amount.
const account = fc.oneof(address, rawBytes(32).map(pubkeyOf))
const txId = fc.oneof(hash, signature)
const blockHash = fc.oneof(hash, blockhash)
const block = fc.record({ number: fc.bigInt(0n, 2n ** 63n - 1n), hash: blockHash })
const observedBlock = fc.record(
  {
    number: fc.bigInt(0n, 2n ** 63n - 1n),
    hash: blockHash,
    timestamp: moment,
  } satisfies All<ObservedBlock>,
  { requiredKeys: ['number', 'hash'] },
)

/** Generated records have no prototype, unlike those that code creates. */
const plain = <Value>(arbitrary: fc.Arbitrary<Value>) =>
  arbitrary.map((value) => structuredClone(value))

/** Times at which refunds of drawn deposits are due, in milliseconds. */
export const refundTimes = [1_000, 2_000, 3_000] as const

export const depositArbitrary: fc.Arbitrary<Deposit> = plain(
  fc.record(
    {
      depositId: text,
      chainId,
      txHash: txId,
      block,
      logIndex: fc.nat(),
      timestamp: moment,
      orderId: hash,
      requestId: hash,
      depositor: account,
      currency: account,
      amount,
      record: fc.record({ index: fc.nat(), exitTime: moment }),
      status: fc.constantFrom(...depositStatuses),
      reason: fc.constantFrom(...failReasons),
      refundFailReason: fc.constantFrom(...refundFailReasons),
      owedAppFees: list(fc.record({ recipient: account, amount: uint256 })),
      refundTries: fc.nat(),
      refundDueAt: fc.constantFrom(...refundTimes),
      paid: list(fc.record({ recipient: account, amount })),
      unpaid: list(fc.record({ recipient: account, amount })),
      exposure: fc.record({ usd: fc.bigInt(0n, 10n ** 12n).map(toUsd), height: fc.bigInt(0n, 9n) }),
      version: fc.constant(0),
    } satisfies All<Deposit>,
    {
      requiredKeys: [
        'depositId',
        'chainId',
        'txHash',
        'timestamp',
        'orderId',
        'depositor',
        'currency',
        'amount',
        'status',
        'version',
      ],
    },
  ),
)

const signedUsd = fc.bigInt(-(10n ** 30n), 10n ** 30n).map(toUsd)

const booking = fc.record(
  {
    day: fc.nat(),
    gas: fc.option(uint256, { nil: null }),
    gasUsd: fc.option(signedUsd, { nil: null }),
    volumeUsd: fc.option(signedUsd, { nil: null }),
    feesUsd: fc.option(signedUsd, { nil: null }),
    sponsoredUsd: signedUsd,
  } satisfies All<Booking>,
  { requiredKeys: ['day', 'gas', 'gasUsd'] },
)

export const transactionArbitrary: fc.Arbitrary<SolverTransaction> = plain(
  fc.record(
    {
      transactionId: text,
      purpose: fc.constantFrom(...purposes),
      chainId,
      account,
      nonce: moment,
      requestId: hash,
      depositIds: list(text),
      spends: list(fc.record({ currency: account, amount })),
      attempts: list(
        fc.record({
          hash: txId,
          raw: calldata,
          maxFeePerGas: uint256,
          maxPriorityFeePerGas: uint256,
        }),
      ),
      status: fc.constantFrom(...solverTransactionStatuses),
      mined: fc.record({ hash: txId, block: observedBlock }),
      failedCost: uint256,
      booked: booking,
      createdAt: moment,
      version: fc.constant(0),
    } satisfies All<SolverTransaction>,
    {
      requiredKeys: [
        'transactionId',
        'purpose',
        'chainId',
        'account',
        'nonce',
        'depositIds',
        'spends',
        'attempts',
        'status',
        'createdAt',
        'version',
      ],
    },
  ),
)

export const cursorArbitrary: fc.Arbitrary<Cursor> = plain(
  fc.record({ chainId, genesis: blockHash, block } satisfies All<Cursor>),
)

const payment: fc.Arbitrary<Payment> = fc.record(
  {
    recipient: account,
    currency: account,
    amount,
    topup: amount,
    claimable: amount,
  } satisfies All<Payment>,
  { requiredKeys: ['recipient', 'currency', 'amount'] },
)

const observedTransaction: fc.Arbitrary<ObservedTransaction> = fc.record(
  {
    chainId,
    hash: txId,
    block: observedBlock,
    paid: payment,
    appFees: list(fc.record({ recipient: account, amount })),
  } satisfies All<ObservedTransaction>,
  { requiredKeys: ['chainId', 'hash'] },
)

const progress = fc.oneof(
  fc.record({ status: fc.constant('waiting') }),
  fc.record({
    status: fc.constantFrom('sent', 'seen', 'confirmed', 'reverted'),
    transaction: observedTransaction,
  }),
)

/** A state with any status and any `seq`. */
export const stateArbitrary: fc.Arbitrary<RequestState> = plain(
  fc.record(
    {
      status: fc.constantFrom(...requestStatuses),
      seq: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
      isSigned: fc.constant(true),
      isSubmitted: fc.constant(true),
      failReason: fc.constantFrom(...failReasons),
      refundFailReason: fc.constantFrom(...refundFailReasons),
      refusedDeposit: fc.constantFrom(...failReasons),
      inTxHashes: list(txId),
      txHashes: list(txId),
      steps: list(list(progress)),
      fill: progress,
      inputStates: list(
        fc.oneof(
          fc.record({ status: fc.constantFrom('open', 'missed') }),
          fc.record({ status: fc.constant('funded'), depositId: text }),
        ),
      ),
      refunds: list(progress),
      supersededBy: hash,
      updatedAt: moment,
    } satisfies All<RequestState>,
    {
      requiredKeys: [
        'status',
        'seq',
        'inTxHashes',
        'txHashes',
        'steps',
        'inputStates',
        'updatedAt',
      ],
    },
  ),
)
