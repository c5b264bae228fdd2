import { privateKeyToAccount } from 'viem/accounts'
import { toAddress } from '#src/core/units/address.ts'
import { users } from '#src/devnet/accounts.ts'
import { permitsIn, type QuotedPermits } from '#src/protocol/permits/permitCall.ts'
import { typedDataOf } from '#src/protocol/permits/typedData.ts'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'
import { executePermit } from '#src/service/permits/executePermit.ts'
import { newAccount } from '#test/support/wallets/newAccount.ts'
import { ethereum, rollup, type SolverRig } from './solverRig.ts'

/** Signs the payments of `signPayment`. */
export const payer = privateKeyToAccount(users[0].privateKey)

/** A request for 50 USDC that its user pays by EIP-3009. The signature is stored, and the solver must send it. */
export async function signPayment(
  rig: SolverRig,
  { account = payer, ...change }: Readonly<{ account?: typeof payer; referrer?: string }> = {},
): Promise<Readonly<{ request: SolverRequest; quoted: QuotedPermits }>> {
  const user = toAddress(account.address.toLowerCase())
  const request = await rig.quote([ethereum, 'USDC'], [rollup, 'USDC'], {
    amount: 50_000_000n,
    user,
    refundTo: user,
    recipient: newAccount(),
    permit: { kind: 'eip3009' },
    ...change,
  })
  const quoted = await signAndStore(rig, request, account)
  return { request: await rig.find(request.requestId), quoted }
}

/** Signs what a quote with an EIP-3009 permit asks for, and stores the signature. */
export async function signAndStore(
  rig: SolverRig,
  { requestId, steps }: SolverRequest,
  account = payer,
): Promise<QuotedPermits> {
  const quoted = permitsIn(steps)
  if (quoted === undefined) throw new Error('The quote asks for no signature')
  const { value: message, ...data } = typedDataOf(quoted.paying)
  const signature = await account.signTypedData({ ...data, message } as never)
  const deps = { requests: rig.store, market: rig.market, now: Date.now }
  await executePermit(deps, { requestId, kind: 'eip3009', signature })
  return quoted
}
