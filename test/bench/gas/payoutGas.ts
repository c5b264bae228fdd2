import { encodeFunctionData, parseEventLogs, type TypedDataDefinition } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type Address, nativeAddress } from '#src/core/units/address.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import { solver } from '#src/devnet/accounts.ts'
import {
  executePayout,
  type Payout,
  payoutTypedData,
  type RecordedDeposit,
} from '#src/protocol/calls/payout.ts'
import { depository as depositoryArtifact } from '#src/protocol/contracts/artifacts/depository.ts'
import { orderIdOf, paymentProofOf, refundProofOf } from '#src/protocol/order/orderId.ts'
import type { ProtocolOrder } from '#src/protocol/order/protocolOrder.ts'
import type { ContractRig, Transaction } from '#test/contracts/contractRig.ts'
import type { MeasureGas } from './measureGas.ts'

const { abi } = depositoryArtifact
const chainName = 'devnet-ethereum'
const expiration = 4_000_000_000n
const amount = 1_000n
const fortnight = 14 * 86_400

/** Measures what the depository pays out: settlements, refunds, exits and claims. Recipients have no balance before. */
export async function measurePayouts(
  rig: ContractRig,
  measure: MeasureGas,
  currencies: Readonly<Record<string, Address>>,
): Promise<void> {
  const { depository, client, deployed } = rig
  const allocator = privateKeyToAccount(solver.privateKey)
  const recipient = `0x${'5e'.repeat(20)}` as Address
  const app = `0x${'a9'.repeat(20)}` as Address

  async function signed(payout: Payout): Promise<Transaction> {
    const data = payoutTypedData(payout, { chainId: toChainId(deployed.plan.id), depository })
    return executePayout(
      depository,
      payout,
      await allocator.signTypedData(data as TypedDataDefinition),
    )
  }

  /** A deposit for `depositor`, who has made none before. */
  async function deposit(
    currency: Address,
    orderId: RecordedDeposit['orderId'],
    depositor: Address,
  ): Promise<RecordedDeposit> {
    const isNative = currency === nativeAddress
    const { logs } = await rig.send({
      to: depository,
      value: isNative ? amount : 0n,
      data: isNative
        ? encodeFunctionData({ abi, functionName: 'depositNative', args: [depositor, orderId] })
        : encodeFunctionData({
            abi,
            functionName: 'depositErc20',
            args: [depositor, currency, amount, orderId],
          }),
    })
    const [recorded] = parseEventLogs({ abi, logs, eventName: 'DepositRecorded' })
    if (recorded === undefined) throw new Error('The deposit has no record')
    return { orderId, depositor, currency, amount, index: recorded.args.index }
  }

  for (const [name, currency] of Object.entries(currencies)) {
    const order = orderIn(currency, { recipient, app })
    const orderId = orderIdOf(order)
    const deposits: RecordedDeposit[] = []
    for (let count = 0; count < 20; count++)
      deposits.push(await deposit(currency, orderId, recipient))
    const [first] = deposits
    if (first === undefined) throw new Error('Nothing was deposited')
    const draw = (made: RecordedDeposit) => ({
      deposit: made,
      owed: amount,
      fees: [],
      proof: [],
    })
    const settlement = { kind: 'settlement', currency, payee: solver.address, expiration } as const
    await measure(`settlement: ${name}`, await signed({ ...settlement, draws: [draw(first)] }))
    const fees = [{ recipient: app, amount: 10n, proof: { feeAt: 0n, amount: 10n } }]
    await measure(
      `settlement: ${name}, with an app fee`,
      await signed({
        ...settlement,
        draws: [{ ...draw(first), fees, proof: [paymentProofOf(order, 0)] }],
      }),
    )
    await measure(
      `settlement: ${name}, 20 deposits`,
      await signed({ ...settlement, draws: deposits.map(draw) }),
    )
    const refund = {
      kind: 'refund',
      deposit: first,
      owed: amount,
      recipient,
      amount,
      expiration,
      payee: solver.address,
      cost: 0n,
    } as const
    await measure(`refund: ${name}`, await signed(refund))
    await measure(
      `refund: ${name}, less its cost`,
      await signed({ ...refund, amount: 900n, cost: 100n }),
    )
    const proof = refundProofOf(order, app, { chainName, currency: first.currency })
    if (proof === undefined) throw new Error('The order refunds to nobody')
    await measure(
      `refund: ${name}, to a recipient of the order`,
      await signed({ ...refund, recipient: app, proof }),
    )
    const snapshot = await client.snapshot()
    await client.increaseTime({ seconds: fortnight })
    await client.mine({ blocks: 1 })
    await measure(`exit: ${name}`, {
      to: depository,
      data: encodeFunctionData({ abi, functionName: 'exit', args: [first, recipient] }),
    })
    await client.revert({ id: snapshot })
    const before = await client.snapshot()
    await rig.send(await signed({ ...refund, amount: 900n, cost: 100n }))
    await measure(`claim: ${name}`, {
      to: depository,
      data: encodeFunctionData({
        abi,
        functionName: 'claim',
        args: [currency, solver.address, solver.address],
      }),
    })
    await client.revert({ id: before })
  }
}

/** An order that refunds to `app`, with an app fee of one percent. */
function orderIn(
  currency: Address,
  { recipient, app }: Readonly<{ recipient: Address; app: Address }>,
): ProtocolOrder {
  const deadline = Number(expiration)
  const refund = {
    chainId: chainName,
    currency,
    minimumAmount: 0n,
    deadline,
    extraData: '0x',
  } as const
  return {
    version: 'v1',
    solverChainId: chainName,
    solver: solver.address,
    salt: 1n,
    inputs: [
      {
        payment: { chainId: chainName, currency, amount, weight: 1n },
        refunds: [
          { ...refund, recipient },
          { ...refund, recipient: app },
        ],
      },
    ],
    output: {
      chainId: chainName,
      deadline,
      calls: [],
      extraData: '0x',
      payments: [{ recipient, currency, minimumAmount: 1n, expectedAmount: 1n }],
    },
    fees: [
      {
        recipientChainId: chainName,
        recipient: app,
        currencyChainId: chainName,
        currency,
        amount: 10n,
      },
    ],
  }
}
