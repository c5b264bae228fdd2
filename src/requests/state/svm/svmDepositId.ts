import { type ChainId, toChainId } from '#src/core/units/chainId.ts'
import { type Pubkey, toPubkey } from '#src/core/units/svm/pubkey.ts'

/** What names a deposit on a Solana chain. */
export type SvmDepositKey = Readonly<{
  chainId: ChainId
  /** The account of its record. A record that was closed can be made again, in a later slot. */
  record: Pubkey
  /** Of the deposit. */
  slot: bigint
  /** Paid the deposit: a wallet, or a deposit address. */
  sender: Pubkey
  nonce: bigint
}>

/** The `depositId` of a stored deposit: `<chainId>:<record>:<slot>:<sender>:<nonce>`. */
export const svmDepositId = ({ chainId, record, slot, sender, nonce }: SvmDepositKey): string =>
  [chainId, record, slot, sender, nonce].join(':')

/** What `svmDepositId` was made of. @throws RangeError for the id of a deposit of another virtual machine */
export function parseSvmDepositId(depositId: string): SvmDepositKey {
  const [chainId = '', record = '', slot, sender = '', nonce] = depositId.split(':')
  if (slot === undefined || nonce === undefined)
    throw new RangeError(`${depositId} is no deposit of a Solana chain`)
  return {
    chainId: toChainId(Number(chainId)),
    record: toPubkey(record),
    slot: BigInt(slot),
    sender: toPubkey(sender),
    nonce: BigInt(nonce),
  }
}
