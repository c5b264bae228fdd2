import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { encodeFunctionData, erc20Abi, parseAbi } from 'viem'
import { expect, vi } from 'vitest'
import type { Order } from '#src/core/pricing/order.ts'
import { type Address, evmAddress, nativeAddress } from '#src/core/units/address.ts'
import type { Bps } from '#src/core/units/bps.ts'
import type { DepositAddressTerms } from '#src/protocol/calls/depositAddress.ts'
import { depository } from '#src/protocol/contracts/artifacts/depository.ts'
import { isSolverRequest, type SolverRequest } from '#src/requests/state/solverRequest.ts'
import { topUpSeconds } from '#src/solver/sweeps/sweepCandidates.ts'
import { quickStart } from '#test/support/processes/quickStart.ts'
import { newAccount } from '#test/support/wallets/newAccount.ts'
import { ethereum, type Place, patience, rollup, type SolverRig } from './solverRig.ts'

const aggregateAbi = parseAbi([
  'struct Call { address target; bool allowFailure; uint256 value; bytes callData; }',
  'function aggregate3Value(Call[] calls) payable',
])

type Options = Readonly<{
  isOpen?: boolean
  latePaymentBps?: Bps
  user?: Address
  appFees?: Order['appFees']
  sponsorship?: NonNullable<Order['sponsorship']>
}>

/** Quotes of deposit addresses on the first chain of a rig, and payments to them. */
export function createAddressPayments(rig: SolverRig) {
  /** An order of one of the first chain's currencies for the same one on the second chain, between new accounts. */
  async function quote(from: Place, amount: bigint, options: Options = {}) {
    const [recipient, refundTo] = [newAccount(), newAccount()]
    const change = { amount, useDepositAddress: true, recipient, refundTo, ...options }
    const request = await rig.quote(from, [rollup, from[1]], change)
    const { depositAddress, depositor } = request
    if (depositAddress === undefined || depositor === undefined)
      throw new Error('No deposit address')
    const address = evmAddress(depositAddress)
    return {
      ...request,
      address,
      depositor: evmAddress(depositor),
      place: [rollup, from[1]] as Place,
    }
  }

  type Quoted = Awaited<ReturnType<typeof quote>>

  return {
    quote,

    /** A payment like that of an exchange: from another account than the user's. */
    async pay([chainId, symbol]: Place, address: Address, amount: bigint) {
      const { address: currency } = rig.currencyOf([chainId, symbol])
      const args = [address, amount] as const
      const receipt = await rig.stranger.call(
        chainId,
        currency === nativeAddress
          ? { to: address, data: '0x', value: amount }
          : {
              to: currency,
              data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args }),
            },
      )
      expect(receipt.status).toBe('success')
      return receipt
    },

    /** A payment of native currency by a contract. */
    async internally(target: Address, value: bigint): Promise<void> {
      const call = { target, allowFailure: false, value, callData: '0x' } as const
      const { status } = await rig.stranger.call(ethereum, {
        to: rig.chainOf(ethereum).multicall3,
        data: encodeFunctionData({ abi: aggregateAbi, args: [[call]] }),
        value,
      })
      expect(status).toBe('success')
    },

    /** A deposit of native currency that names an order, by a stranger, in the name of `depositor` if one is given. */
    async depositFor(
      orderId: `0x${string}`,
      value: bigint,
      { chainId = ethereum, depositor = nativeAddress } = {},
    ): Promise<void> {
      const args = [depositor, orderId] as const
      const { status } = await rig.stranger.call(chainId, {
        to: rig.contractsOn(chainId).depository,
        data: encodeFunctionData({ abi: depository.abi, functionName: 'depositNative', args }),
        value,
      })
      expect(status).toBe('success')
    },

    paidOut: ({ place, recipient }: Quoted) => rig.balanceOf(rig.currencyOf(place), recipient),
    refunded: ({ refundTo }: Pick<Quoted, 'refundTo'>, place: Place) =>
      rig.balanceOf(rig.currencyOf(place), refundTo),
    left: ({ address }: Quoted, place: Place) => rig.balanceOf(rig.currencyOf(place), address),

    sweepsOf: async ({ requestId }: Pick<Quoted, 'requestId'>) =>
      (await rig.store.transactionsOf(requestId)).filter(({ purpose }) => purpose === 'sweep'),

    /** Waits for this number of requests of payments to an open address. Returns them, the oldest first. */
    payments: (
      { requestId: parentId }: Pick<Quoted, 'requestId'>,
      count: number,
    ): Promise<readonly SolverRequest[]> =>
      vi.waitFor(async () => {
        const { requests } = await rig.store.list({ parentId, first: 100, order: 'oldest' })
        expect(requests).toHaveLength(count)
        return requests.filter(isSolverRequest)
      }, patience),

    /**
     * Waits until the deposits of the request have these statuses and reasons, in alphabetical order. Settled deposits
     * count as filled.
     */
    async ends(
      { requestId }: Pick<Quoted, 'requestId'>,
      wanted: readonly (string | undefined)[][],
    ): Promise<void> {
      await vi.waitFor(async () => {
        const deposits = await rig.store.depositsOf(requestId)
        const ended = deposits.map(({ status, reason }) => [
          status === 'settled' ? 'filled' : status,
          reason,
        ])
        expect(ended.sort()).toEqual(wanted)
      }, patience)
    },

    /** Advances the chain time until no incomplete payment waits for its remainder. */
    async passTopUp(): Promise<void> {
      const { timestamp } = await rig.wallet.clientOn(ethereum).getBlock()
      await rig.mineAt(ethereum, timestamp + BigInt(topUpSeconds) + 1n, 1)
    },

    /** Runs `npm run sweep` for the preimage of an address, with or without a paying key. */
    async sweepCommand(
      { orderId, depositor }: DepositAddressTerms,
      currency: Address,
      key?: `0x${string}`,
    ) {
      const { rpcUrls, contracts } = rig.chainOf(ethereum)
      const terms = { rpc: rpcUrls[0], factory: contracts?.depositAddressFactory, order: orderId }
      const args = Object.entries({ ...terms, depositor, currency })
      const child = spawn(
        process.execPath,
        ['src/cli/sweep/sweep.ts', ...args.flatMap(([name, value]) => [`--${name}`, value ?? ''])],
        { env: { ...quickStart, ...(key !== undefined && { SWEEPER_PRIVATE_KEY: key }) } },
      )
      const [output, problems] = await Promise.all([text(child.stdout), text(child.stderr)])
      return { output, problems }
    },
  }
}

export type AddressPayments = ReturnType<typeof createAddressPayments>
