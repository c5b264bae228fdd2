import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { type Address, toAddress } from '#src/core/units/address.ts'

/** A random new address, whose balance is exactly the sum of its payments. */
export const newAccount = (): Address =>
  toAddress(privateKeyToAddress(generatePrivateKey()).toLowerCase())
