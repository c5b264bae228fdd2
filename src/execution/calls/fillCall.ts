import type { Hex } from 'viem'
import type { ProtocolContracts } from '#src/contracts/protocolContracts.ts'
import { type Address, nativeAddress } from '#src/units/address.ts'
import { type Conversion, conversionCalls, leftoverCurrencies } from './conversionCalls.ts'
import { type Payment, paymentCalls } from './paymentCalls.ts'
import { payCall, type RouterCall, sweepCalls } from './routerCalls.ts'
import { routerTransaction, type TransactionCall } from './transactionCall.ts'

/** The content of one fill, all of it on the destination chain. */
export type Fill = Readonly<{
  contracts: ProtocolContracts
  /** Pays the input and receives the leftovers of a swap. */
  solver: Address
  orderId: Hex
  /** From the currency that the solver pays to the currency that the recipient gets. */
  conversion: Conversion
  /** Amount of the conversion's input. */
  spend: bigint
  /** In the conversion's output. */
  payment: Omit<Payment, 'currency'>
  /** Native currency for the recipient beside the output, in wei; 0 for none. */
  topup: bigint
}>

/** The solver's transaction that pays the recipient. Its calldata ends with the order id. */
export function fillCall(fill: Fill): TransactionCall {
  const { contracts, conversion, spend, topup, solver, payment } = fill
  const calls: readonly RouterCall[] = [
    ...conversionCalls(conversion, spend),
    // The leftovers leave the router before the recipient and the order's calls get control.
    ...sweepCalls(contracts.router, leftoverCurrencies(conversion.route), solver),
    ...payCalls(fill),
  ]
  return routerTransaction({
    contracts,
    currency: conversion.input,
    amount: spend,
    extraNative: topup,
    calls,
    leftoversTo: solver,
    nftsTo: payment.recipient,
    metadata: fill.orderId,
  })
}

/** An order with native output has no top-up: the top-up's `pay` would find nothing left. */
function payCalls({ contracts, conversion, payment, topup }: Fill): readonly RouterCall[] {
  const { router } = contracts
  const { output: currency, wrappedNative } = conversion
  const { recipient } = payment
  return [
    ...paymentCalls(router, wrappedNative, { ...payment, currency }),
    ...(topup === 0n ? [] : [payCall(router, nativeAddress, { recipient, minimum: topup })]),
  ]
}
