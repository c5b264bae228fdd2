import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { type Address, toAddress } from '#src/units/address.ts'

/** A random new address. Its balance is exactly what it was paid. */
export const newAccount = (): Address =>
  toAddress(privateKeyToAddress(generatePrivateKey()).toLowerCase())
