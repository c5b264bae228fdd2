import {
  type Hex,
  keccak256,
  parseTransaction,
  type SignedAuthorization,
  type TransactionSerializable,
} from 'viem'
import type { Signer } from '#src/config/keys/signer.ts'
import { toAddress } from '#src/core/units/address.ts'
import type { TransactionCall } from '#src/protocol/calls/transactionCall.ts'
import type { Attempt } from '#src/requests/state/solverTransaction.ts'
import type { Fees } from './fees.ts'

/** `isLegacy`: the chain lacks EIP-1559. */
type Terms = Readonly<{ chainId: number; nonce: number; gas: bigint; isLegacy: boolean }>

/** Signs a transaction of the account, ready to be sent. */
export async function signAttempt(
  account: Pick<Signer, 'signTransaction'>,
  { authorizationList, ...call }: TransactionCall,
  { isLegacy, ...terms }: Terms,
  fees: Fees,
): Promise<Attempt> {
  const shared = { ...call, ...terms }
  const typed = (): TransactionSerializable => {
    if (authorizationList !== undefined)
      return { ...shared, type: 'eip7702', ...fees, authorizationList }
    return isLegacy
      ? { ...shared, type: 'legacy', gasPrice: fees.maxFeePerGas }
      : { ...shared, type: 'eip1559', ...fees }
  }
  const raw = await account.signTransaction(typed())
  return { hash: keccak256(raw), raw, ...fees }
}

/** Decodes the call of a signed transaction. */
export function readCall(raw: Hex): Readonly<{ call: TransactionCall; gas: bigint }> {
  const { to, data = '0x', value = 0n, gas = 0n, authorizationList } = parseTransaction(raw)
  if (to == null) throw new Error('The solver never creates contracts')
  const call = { to: toAddress(to), data, value }
  if (authorizationList === undefined) return { call, gas }
  return { call: { ...call, authorizationList: authorizationList.map(readAuthorization) }, gas }
}

function readAuthorization({
  chainId,
  address,
  nonce,
  yParity = 0,
  r,
  s,
}: SignedAuthorization): NonNullable<TransactionCall['authorizationList']>[number] {
  return { chainId, address: toAddress(address), nonce, yParity, r, s }
}
