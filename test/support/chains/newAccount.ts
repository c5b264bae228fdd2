import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { type Address, toAddress } from '#src/units/address.ts'

/** Nobody has had it before: what it holds is what it was paid. */
export const newAccount = (): Address =>
  toAddress(privateKeyToAddress(generatePrivateKey()).toLowerCase())
