import fc from 'fast-check'
import { bytesToHex } from 'viem'
import { expect, it } from 'vitest'
import type { Order } from '#src/core/pricing/order.ts'
import { priceSwap } from '#src/core/pricing/priceSwap.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { blockhashOf } from '#src/core/units/svm/blockhash.ts'
import { svmNative } from '#src/core/units/svm/pubkey.ts'
import {
  currencyOf,
  destinationChain,
  account as evmAccount,
} from '#test/support/fixtures/markets.ts'
import {
  sol,
  svmAccount,
  svmMarket,
  svmProgram,
  svmUsdc,
} from '#test/support/fixtures/svmMarket.ts'
import { decodeDepositoryCall } from './depository/decodeDepositoryCall.ts'
import { depositAddress, recordAddress } from './depository/depositoryAddresses.ts'
import { associatedTokenAddress } from './derivedAddress.ts'
import type { CalledInstruction } from './instruction.ts'
import { decodeMemo } from './memo.ts'
import { keySigner } from './signer.ts'
import { buildSvmSteps, type SvmStepContext } from './steps.ts'
import { decodeLamportTransfer } from './systemProgram.ts'
import { decodeTokenTransfer } from './tokenProgram.ts'
import { decodeTransaction, maxTransactionBytes, signTransaction } from './transaction.ts'
import { toInstruction } from './transactionData.ts'

const [user, refundTo, feePayer] = [svmAccount(1), svmAccount(2), svmAccount(3)]

const orderOf = (currency: typeof sol, amount: bigint): Order => ({
  user,
  recipient: evmAccount('4'),
  refundTo,
  origin: currency,
  destination: currencyOf(destinationChain, 'USDC'),
  amount: toAmount(amount),
  tradeType: 'EXACT_INPUT',
  appFees: [],
  explicitDeposit: true,
  swapSources: { origin: { excluded: new Set() }, destination: { excluded: new Set() } },
  disableOriginSwaps: false,
  forceSolverExecution: false,
  originGasOverhead: 0n,
  enableTrueExactOutput: false,
  txs: [],
})

const hash = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes): `0x${string}` => bytesToHex(bytes))

const contexts: fc.Arbitrary<SvmStepContext> = fc.record({
  requestId: hash,
  orderId: hash,
  program: fc.constant(svmProgram),
  feePayer: fc.constantFrom(undefined, feePayer),
  microLamports: fc.constantFrom(0n, 1n, 1_000_000n),
  computeUnitLimit: fc.constantFrom(undefined, 40_000),
})

const origins = fc
  .constantFrom(sol, svmUsdc)
  .chain((currency) =>
    fc
      .bigInt(10n * 10n ** BigInt(currency.decimals), 50_000n * 10n ** BigInt(currency.decimals))
      .map((amount) => priceSwap(orderOf(currency, amount), svmMarket)),
  )

/** The instructions of the only step, as a wallet would send them and a node would answer them. */
async function sentBy(price: ReturnType<typeof priceSwap>, context: SvmStepContext) {
  const [step, ...others] = buildSvmSteps(price, context)
  if (step?.svmItem === undefined || others.length > 0) throw new Error('expected one step')
  const { data } = step.svmItem
  const signers = [1, 3].map((byte) => keySigner(new Uint8Array(32).fill(byte)))
  const { bytes } = await signTransaction(
    {
      payer: data.payer,
      instructions: data.instructions.map(toInstruction),
      lifetime: blockhashOf(new Uint8Array(32).fill(9)),
    },
    signers,
  )
  expect(bytes.length).toBeLessThanOrEqual(maxTransactionBytes)
  return { step, data, decoded: decodeTransaction(bytes) }
}

const isOurs = ({ programId }: CalledInstruction) => programId === svmProgram

it('deposits the amount of the price for the refund recipient, with the id of the order', async () => {
  await fc.assert(
    fc.asyncProperty(origins, contexts, async (price, context) => {
      const { step, data, decoded } = await sentBy(price, context)
      const { currency, amount } = price.currencyIn
      const payer = context.feePayer ?? user
      expect(data.payer).toBe(payer)
      expect(decoded.signers).toEqual([...new Set([payer, user])])
      expect(step).toMatchObject({ id: 'deposit', kind: 'transaction', items: [] })
      expect(step.svmItem?.check?.endpoint).toContain(context.requestId)
      const [deposit, ...others] = decoded.instructions.filter(isOurs)
      if (deposit === undefined || others.length > 0) throw new Error('expected one deposit')

      const isSol = currency.address === svmNative
      const key = {
        id: context.orderId,
        depositor: refundTo,
        currency: isSol ? sol.address : svmUsdc.address,
        sender: user,
        nonce: 0n,
      }
      const record = recordAddress(svmProgram, key)
      expect(decodeDepositoryCall(svmProgram, deposit)).toEqual({
        kind: 'deposit',
        ...key,
        amount,
        payer,
        record,
      })
      // As existing clients read it.
      expect(deposit.accounts.slice(1, 3)).toEqual([user, refundTo])
      if (!isSol) expect(deposit.accounts[4]).toBe(currency.address)
      expect(decoded.instructions.map(decodeMemo).at(-1)).toBe(context.requestId)
      const budget = (context.microLamports > 0n ? 1 : 0) + (context.computeUnitLimit ? 1 : 0)
      expect(decoded.instructions).toHaveLength(2 + budget)
    }),
    { numRuns: 30 },
  )
})

it('pays a deposit address the amount of the price', async () => {
  await fc.assert(
    fc.asyncProperty(origins, contexts, async (price, context) => {
      const { orderId, program } = context
      const address = depositAddress(program, { id: orderId, depositor: refundTo })
      const { step, decoded } = await sentBy(price, { ...context, depositAddress: address })
      const { currency, amount } = price.currencyIn
      expect(step.depositAddress).toBe(address)
      expect(decoded.instructions.filter(isOurs)).toEqual([])
      if (currency.address === svmNative)
        expect(decoded.instructions.flatMap((each) => decodeLamportTransfer(each) ?? [])).toEqual([
          { from: user, to: address, lamports: amount },
        ])
      else
        expect(decoded.instructions.flatMap((each) => decodeTokenTransfer(each) ?? [])).toEqual([
          {
            source: associatedTokenAddress(user, svmUsdc.address),
            destination: associatedTokenAddress(address, svmUsdc.address),
            authority: user,
            mint: svmUsdc.address,
            amount,
          },
        ])
    }),
    { numRuns: 20 },
  )
})
