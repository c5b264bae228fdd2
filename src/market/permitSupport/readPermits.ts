import { randomBytes } from 'node:crypto'
import {
  type Abi,
  decodeFunctionResult,
  domainSeparator,
  encodeFunctionData,
  type Hash,
  type Hex,
  maxUint256,
  parseAbi,
  parseSignature,
} from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { type ContractCall, callContracts } from '#src/chains/read/callContracts.ts'
import type { ChainRpc } from '#src/chains/rpc/chainClient.ts'
import type { Address } from '#src/core/units/address.ts'
import type { TokenDomain } from '#src/protocol/contracts/protocolContracts.ts'

/** The signatures that a currency's own contract takes for payments. */
export type TokenPermits = Readonly<{
  /** Transfers by signature. Absent if it has none. */
  eip3009?: TokenDomain
  /** Allowances by signature. Absent if it has none. */
  eip2612?: TokenDomain
}>

const abi = parseAbi([
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
  'function name() view returns (string)',
  'function version() view returns (string)',
  'function eip712Domain() view returns (bytes1 fields, string name, string version, uint256 chainId, address verifyingContract, bytes32 salt, uint256[] extensions)',
  'function nonces(address owner) view returns (uint256)',
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
  'function receiveWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
])

/**
 * Accounts that only sign permits of nothing, which no block ever includes. They are new at each reading: with a known key
 * anybody could use up a nonce or give the account code, and so have a currency refuse what it takes from others.
 */
type Probe = Readonly<{
  owner: PrivateKeyAccount
  stranger: PrivateKeyAccount
  transferNonce: Hash
}>

const newProbe = (): Probe => ({
  owner: privateKeyToAccount(generatePrivateKey()),
  stranger: privateKeyToAccount(generatePrivateKey()),
  transferNonce: `0x${randomBytes(32).toString('hex')}`,
})

const permitTypes = {
  Permit: [
    { name: 'owner', type: 'address' },
    { name: 'spender', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const
const transferTypes = {
  ReceiveWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const

/**
 * Finds out which signatures currencies take, by calls that a node simulates at one block: a permit of nothing must be
 * accepted from its owner, and refused from anyone else. No name of a function is trusted: some contracts accept every
 * call and do nothing.
 * @returns one for each currency, in order
 * @throws RpcUnavailableError; RpcRefusedError
 */
export async function readPermits(
  client: ChainRpc,
  currencies: readonly Address[],
  blockHash: Hash,
): Promise<readonly TokenPermits[]> {
  const probe = newProbe()
  const described = await readEach(
    client,
    currencies.map((currency) => descriptionCalls(currency, probe)),
    blockHash,
  )
  const known = described.map((answers, at) => describe(client, currencies[at] as Address, answers))
  const probes = await Promise.all(
    known.map((each) => (each ? probeCalls(client, each, probe) : [])),
  )
  const outcomes = await readEach(client, probes, blockHash)
  return known.map((each, at) => {
    const [strange, permit, stolen, transfer] = (outcomes[at] ?? []).map((one) => one !== undefined)
    return {
      ...(each && strange === false && permit === true && { eip2612: each.domain }),
      ...(each && stolen === false && transfer === true && { eip3009: each.domain }),
    }
  })
}

/** The answers to each group of calls, all read at once. */
async function readEach(
  client: Parameters<typeof readPermits>[0],
  groups: readonly (readonly ContractCall[])[],
  blockHash: Hash,
): Promise<readonly (readonly (Hex | undefined)[])[]> {
  const answers = (await callContracts(client, groups.flat(), blockHash)).values()
  return groups.map((group) => group.map(() => answers.next().value))
}

const descriptionCalls = (to: Address, { owner }: Probe): readonly ContractCall[] => [
  { to, data: encodeFunctionData({ abi, functionName: 'DOMAIN_SEPARATOR' }) },
  { to, data: encodeFunctionData({ abi, functionName: 'name' }) },
  { to, data: encodeFunctionData({ abi, functionName: 'version' }) },
  { to, data: encodeFunctionData({ abi, functionName: 'eip712Domain' }) },
  { to, data: encodeFunctionData({ abi, functionName: 'nonces', args: [owner.address] }) },
]

type Described = Readonly<{ currency: Address; domain: TokenDomain; nonce: bigint }>

/** Versions that contracts without `version()` have in their domain. */
const usualVersions = ['1', '2'] as const

/** Undefined unless name, version, chain and address give the contract's own domain separator. */
function describe(
  { chain }: ChainRpc,
  currency: Address,
  [separator, name, version, eip712Domain, nonce]: readonly (Hex | undefined)[],
): Described | undefined {
  const domainOf = read<readonly [Hex, string, string]>('eip712Domain', eip712Domain)
  const names = [domainOf?.[1], read<string>('name', name)].filter((each) => each !== undefined)
  const stated = [domainOf?.[2], read<string>('version', version)].filter(
    (each) => each !== undefined,
  )
  const candidates = names.flatMap((each) =>
    [...stated, ...usualVersions].map((text): TokenDomain => ({ name: each, version: text })),
  )
  const domain = candidates.find(
    (each) =>
      domainSeparator({ domain: { ...each, chainId: chain.id, verifyingContract: currency } }) ===
      separator,
  )
  return domain && { currency, domain, nonce: read<bigint>('nonces', nonce) ?? 0n }
}

/** Undefined if the contract has no such function. */
function read<Value>(functionName: string, data: Hex | undefined): Value | undefined {
  if (data === undefined) return undefined
  try {
    return decodeFunctionResult({ abi: abi as Abi, functionName, data }) as Value
  } catch {
    return undefined
  }
}

/** Each by a stranger first: a permit that was accepted would have used up the nonce. */
async function probeCalls(
  client: ChainRpc,
  { currency, domain: { name, version }, nonce }: Described,
  { owner, stranger, transferNonce }: Probe,
): Promise<readonly ContractCall[]> {
  const { id: chainId, contracts } = client.chain
  const domain = { name, version, chainId, verifyingContract: currency }
  // The calls come from Multicall3, and only the recipient may receive.
  const caller = contracts.multicall3.address
  const allowed = { owner: owner.address, spender: caller, value: 0n, deadline: maxUint256 }
  const moved = { from: owner.address, to: caller, value: 0n, validAfter: 0n } as const
  const sent = { ...moved, validBefore: maxUint256, nonce: transferNonce }
  const calls = async (
    signer: PrivateKeyAccount,
  ): Promise<readonly [ContractCall, ContractCall]> => {
    const permit = await signer.signTypedData({
      domain,
      types: permitTypes,
      primaryType: 'Permit',
      message: { ...allowed, nonce },
    })
    const transfer = await signer.signTypedData({
      domain,
      types: transferTypes,
      primaryType: 'ReceiveWithAuthorization',
      message: sent,
    })
    const allow = [allowed.owner, caller, 0n, maxUint256, ...partsOf(permit)] as const
    const receive = [
      ...([sent.from, caller, 0n, 0n, maxUint256, transferNonce] as const),
      ...partsOf(transfer),
    ] as const
    return [
      { to: currency, data: encodeFunctionData({ abi, functionName: 'permit', args: allow }) },
      {
        to: currency,
        data: encodeFunctionData({ abi, functionName: 'receiveWithAuthorization', args: receive }),
      },
    ]
  }
  const [[strangePermit, strangeTransfer], [permit, transfer]] = await Promise.all([
    calls(stranger),
    calls(owner),
  ])
  return [strangePermit, permit, strangeTransfer, transfer]
}

function partsOf(signature: Hex): readonly [v: number, r: Hex, s: Hex] {
  const { r, s, yParity } = parseSignature(signature)
  return [27 + yParity, r, s]
}
