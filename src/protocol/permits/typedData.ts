import { type Hex, hashStruct } from 'viem'
import { permit2Address } from '#src/protocol/contracts/protocolContracts.ts'
import type {
  AllowancePermit,
  Permit,
  Permit2Permit,
  SignedRun,
  TransferPermit,
} from '#src/protocol/permit.ts'

/** Typed data for `eth_signTypedData_v4`, without the type of the domain. `value` is the message, in JSON values. */
export type TypedData = Readonly<{
  domain: Readonly<Record<string, string | number>>
  types: Readonly<Record<string, readonly Readonly<{ name: string; type: string }>[]>>
  primaryType: string
  value: Readonly<Record<string, unknown>>
}>

const field = (name: string, type: string) => ({ name, type })

/** @source Permits.sol, witnessType and callType */
const witnessTypes = {
  RelayerWitness: [
    field('relayer', 'address'),
    field('refundTo', 'address'),
    field('nftRecipient', 'address'),
    field('metadata', 'bytes'),
    field('call3Values', 'Call3Value[]'),
  ],
  Call3Value: [
    field('target', 'address'),
    field('allowFailure', 'bool'),
    field('value', 'uint256'),
    field('callData', 'bytes'),
  ],
}

/** The signed form of a run. */
const witnessOf = ({ relayer, refundTo, nftRecipient, metadata, calls }: SignedRun) => ({
  relayer,
  refundTo,
  nftRecipient,
  metadata,
  call3Values: calls.map(({ target, allowFailure, value, callData }) => ({
    target,
    allowFailure,
    value: `${value}`,
    callData,
  })),
})

/** The nonce of a transfer by EIP-3009. @source Permits.sol, witnessOf */
export const witnessHash = (run: SignedRun): Hex =>
  hashStruct({ primaryType: 'RelayerWitness', types: witnessTypes, data: witnessOf(run) })

/** The typed data that the payer signs for a permit. */
export function typedDataOf(permit: Permit): TypedData {
  switch (permit.kind) {
    case 'eip3009':
      return transferData(permit)
    case 'permit2':
      return permit2Data(permit)
    case 'eip2612':
      return allowanceData(permit)
  }
}

/** The fields that a domain may have, in the order of their type. @source EIP-712 */
const domainFields = [
  field('name', 'string'),
  field('version', 'string'),
  field('chainId', 'uint256'),
  field('verifyingContract', 'address'),
]

/** The parameter of `eth_signTypedData_v4`. Wallets require the type of the domain too. */
export const toWalletTypedData = ({ domain, types, primaryType, value }: TypedData) => ({
  domain,
  types: { EIP712Domain: domainFields.filter(({ name }) => name in domain), ...types },
  primaryType,
  message: value,
})

/**
 * The fields whose hash is the nonce of a transfer by EIP-3009, so that clients can check the nonce. Undefined for
 * other kinds, whose typed data contains all fields.
 */
export const witnessIn = (permit: Permit): Readonly<Record<string, unknown>> | undefined =>
  permit.kind === 'eip3009' ? witnessOf(permit.run) : undefined

function transferData(permit: TransferPermit): TypedData {
  const { chainId, currency, payer, amount, domain, validBefore, run } = permit
  return {
    domain: { ...domain, chainId, verifyingContract: currency },
    types: {
      ReceiveWithAuthorization: [
        field('from', 'address'),
        field('to', 'address'),
        field('value', 'uint256'),
        field('validAfter', 'uint256'),
        field('validBefore', 'uint256'),
        field('nonce', 'bytes32'),
      ],
    },
    primaryType: 'ReceiveWithAuthorization',
    value: {
      from: payer,
      to: run.approvalProxy,
      value: `${amount}`,
      validAfter: 0,
      validBefore,
      nonce: witnessHash(run),
    },
  }
}

function permit2Data({
  chainId,
  currency,
  amount,
  nonce,
  deadline,
  run,
}: Permit2Permit): TypedData {
  return {
    domain: { name: 'Permit2', chainId, verifyingContract: permit2Address },
    types: {
      PermitBatchWitnessTransferFrom: [
        field('permitted', 'TokenPermissions[]'),
        field('spender', 'address'),
        field('nonce', 'uint256'),
        field('deadline', 'uint256'),
        field('witness', 'RelayerWitness'),
      ],
      TokenPermissions: [field('token', 'address'), field('amount', 'uint256')],
      ...witnessTypes,
    },
    primaryType: 'PermitBatchWitnessTransferFrom',
    value: {
      permitted: [{ token: currency, amount: `${amount}` }],
      spender: run.approvalProxy,
      nonce: `${nonce}`,
      deadline,
      witness: witnessOf(run),
    },
  }
}

function allowanceData(permit: AllowancePermit): TypedData {
  const { chainId, currency, payer, amount, domain, nonce, deadline } = permit
  return {
    domain: { ...domain, chainId, verifyingContract: currency },
    types: {
      Permit: [
        field('owner', 'address'),
        field('spender', 'address'),
        field('value', 'uint256'),
        field('nonce', 'uint256'),
        field('deadline', 'uint256'),
      ],
    },
    primaryType: 'Permit',
    value: {
      owner: payer,
      spender: permit2Address,
      value: `${amount}`,
      nonce: `${nonce}`,
      deadline,
    },
  }
}
