import { type Account, nativeAddress, toAddress } from './address.ts'
import { incinerator, svmNative } from './svm/pubkey.ts'

/** The virtual machine of a chain, as public interfaces name it. */
export type VmType = 'evm' | 'svm'

/** The machine whose form an account has. */
export const vmTypeOf = (account: Account): VmType => (account.startsWith('0x') ? 'evm' : 'svm')

/** The native currency of every chain of a machine. As an account, nobody has its key. */
export const nativeOf: Readonly<Record<VmType, Account>> = { evm: nativeAddress, svm: svmNative }

/** An account of a machine that people burn funds at: nobody has its key. */
export const burnAccountOf: Readonly<Record<VmType, Account>> = {
  evm: toAddress('0x000000000000000000000000000000000000dead'),
  svm: incinerator,
}
