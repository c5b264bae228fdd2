import { z } from 'zod'
import type { RequestContext } from '#src/gateway/requestContext.ts'
import { type Progress, transactionOf } from '#src/requests/state/requestState.ts'
import type { RequestAnswer } from '#src/service/answers.ts'
import { publicOrderId } from '#src/service/requests/publicOrder.ts'
import { addressText, amountText, component, hashText, txIdText } from './bodySchema.ts'

const chainId = z.int().positive().describe('EIP-155 id of its chain.')
const transactionId = txIdText.describe('Transaction hash.')

const paymentBody = component(
  'RequestV3Payment',
  z.object({ chainId, transactionId }).describe('A payment of the solver.'),
)

const depositBody = component(
  'RequestV3Deposit',
  z
    .object({
      amount: amountText.describe('The received amount, in the smallest unit.'),
      chainId,
      currency: addressText.describe('Contract of the currency.'),
      depositor: addressText.describe('The account that it was deposited for.'),
      depository: addressText
        .optional()
        .describe('The contract that received it; absent if it is no longer configured.'),
      transactionId,
    })
    .describe('A deposit.'),
)

export const protocolV3Body = component(
  'RequestV3Protocol',
  z
    .object({
      orderId: hashText.describe('The order id that its deposits carry.'),
      solver: z
        .object({
          address: addressText.describe('The account of the order’s solver.'),
          protocolChainId: z.string().describe('Name of its chain, which orders use as its id.'),
          chainId: chainId.optional(),
        })
        .describe('The solver of the order.'),
      deposit: z
        .object({
          origin: depositBody.optional().describe('The deposit; absent until it is stored.'),
        })
        .describe('The first deposit that was found.'),
      settlement: z
        .object({
          destination: z
            .object({
              fills: z.array(paymentBody).describe('The fill, once it is sent.'),
              refunds: z.array(paymentBody).describe('The refunds that are sent.'),
            })
            .describe('The payments by chain and hash.'),
        })
        .describe('What the solver has paid.'),
    })
    .describe('The order of a request.'),
)

/** Encodes the order; null until a deposit is found, and for a user’s own swap. */
export async function encodeProtocolV3(
  answer: RequestAnswer,
  { operations }: RequestContext,
): Promise<z.input<typeof protocolV3Body> | null> {
  const { request, state } = answer
  const orderId = publicOrderId(answer)
  if (request.execution !== 'solver' || orderId === undefined) return null
  const [found] = await answer.deposits()
  const { solver: address, solverChainId } = request.order
  const solverChain = operations.chains().find(({ name }) => name === solverChainId)
  return {
    orderId,
    solver: { address, protocolChainId: solverChainId, chainId: solverChain?.id },
    deposit: {
      origin: found && {
        amount: found.amount.toString(),
        chainId: found.chainId,
        currency: found.currency,
        depositor: found.depositor,
        depository: operations.chain(found.chainId)?.contracts?.depository,
        transactionId: found.txHash,
      },
    },
    settlement: {
      destination: { fills: paymentsOf([state.fill]), refunds: paymentsOf(state.refunds ?? []) },
    },
  }
}

const paymentsOf = (payments: readonly (Progress | undefined)[]) =>
  payments.flatMap((payment) => {
    const transaction = payment?.status === 'reverted' ? undefined : transactionOf(payment)
    return transaction ? [{ chainId: transaction.chainId, transactionId: transaction.hash }] : []
  })
