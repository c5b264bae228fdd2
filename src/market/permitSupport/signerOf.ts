import { randomBytes } from 'node:crypto'
import { encodeAbiParameters, encodeFunctionData, type Hash, type Hex, parseAbi } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { callContracts } from '#src/chains/read/callContracts.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { bytes, parse } from '#src/chains/rpc/rpcAnswer.ts'
import type { Address } from '#src/core/units/address.ts'

/**
 * What decides on an account's signatures: its `key`; its `contract`, which Permit2 asks by ERC-1271; or `none`, as no
 * signature that its wallet makes is known to be accepted.
 */
export type Signer = 'key' | 'contract' | 'none'

/** The code of an account that delegates begins with it. @source EIP-7702 */
const delegationPrefix = '0xef0100'

const abi = parseAbi([
  'function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)',
])

/** What `isValidSignature` returns for a signature that it accepts. @source ERC-1271 */
const accepted = encodeAbiParameters([{ type: 'bytes4' }], ['0x1626ba7e'])

/**
 * Finds out what decides on the signatures of an account. An account that delegates (EIP-7702) signs by its key, but
 * Permit2 and some currencies ask its code. So the same code is probed at an address whose key is known.
 * @throws RpcUnavailableError; RpcRefusedError
 */
export async function signerOf(
  client: ChainClient,
  account: Address,
  blockHash: Hash,
): Promise<Signer> {
  const code = await readCode(client, account)
  if (code === '0x') return 'key'
  const delegate = code.startsWith(delegationPrefix)
    ? await readCode(client, `0x${code.slice(delegationPrefix.length)}`)
    : undefined
  // The probe is new each time: with a known key anybody could prepare its storage.
  const probe = privateKeyToAccount(generatePrivateKey())
  const hash: Hex = `0x${randomBytes(32).toString('hex')}`
  const signature = await probe.sign({ hash })
  const [answer] = await callContracts(
    client,
    [
      {
        to: delegate === undefined ? account : probe.address,
        data: encodeFunctionData({ abi, args: [hash, signature] }),
      },
    ],
    blockHash,
    delegate === undefined ? [] : [{ address: probe.address, code: delegate }],
  )
  if (delegate !== undefined) return answer === accepted ? 'key' : 'none'
  // A contract may well revert for a stranger's signature, but one that answers without a word has no such function.
  return answer === undefined || answer.length >= 66 ? 'contract' : 'none'
}

const readCode = async (client: ChainClient, account: Hex): Promise<Hex> =>
  (await client.ask({ method: 'eth_getCode', params: [account, 'latest'] }, (answer) =>
    parse(bytes, answer),
  )) ?? '0x'
