import {
  type Address,
  address,
  type Base64EncodedWireTransaction,
  createSolanaRpc,
  createSolanaRpcSubscriptions,
  type Signature,
} from '@solana/kit'
import { createLog } from '#src/config/log.ts'
import { type Blockhash, toBlockhash } from '#src/core/units/svm/blockhash.ts'
import { systemProgram } from '#src/devnet/svm/node/addresses.ts'
import type { Account } from '#src/devnet/svm/node/runtime.ts'
import { type SvmNodeArgs, startSvmNode } from '#src/devnet/svm/startSvmNode.ts'
import { svmUsers } from '#src/devnet/svm/svmAccounts.ts'
import type { Instruction } from '#src/protocol/svm/instruction.ts'
import type { SvmSigner } from '#src/protocol/svm/signer.ts'
import { signTransaction } from '#src/protocol/svm/transaction.ts'

/** SOL of each account that `startTestNode` funds, in lamports. */
export const initialLamports = 1_000_000_000_000n

/** A time at which the chains of tests begin. */
export const genesisSeconds = 1_800_000_000

export type Signers = readonly [SvmSigner, ...SvmSigner[]]

export type TestNode = Awaited<ReturnType<typeof startTestNode>>

export const addressOf = (signer: SvmSigner): Address => address(signer.pubkey)

const fundedAccount = (signer: SvmSigner): Account => ({
  address: addressOf(signer),
  lamports: initialLamports,
  owner: systemProgram,
  data: new Uint8Array(),
  isExecutable: false,
})

/** A node whose time stands still, with the official client. `user` and `other` hold SOL. */
export async function startTestNode(args: Partial<SvmNodeArgs> = {}) {
  const [user, other] = svmUsers
  if (user === undefined || other === undefined) throw new Error('The devnet has users')
  const node = await startSvmNode({
    log: createLog('silent'),
    port: 0,
    genesisSeconds,
    genesisAccounts: [user, other].map(fundedAccount),
    ...args,
  })
  const rpc = createSolanaRpc(node.url)
  /** `lifetime` absent: the newest block hash. */
  const sign = async (
    signers: Signers,
    instructions: readonly Instruction[],
    lifetime?: Blockhash,
  ): Promise<Uint8Array> => {
    const message = {
      payer: signers[0].pubkey,
      instructions,
      lifetime: lifetime ?? (await latestBlockhash()),
    }
    return (await signTransaction(message, signers)).bytes
  }
  const latestBlockhash = async (): Promise<Blockhash> => {
    const { value } = await rpc.getLatestBlockhash({ commitment: 'processed' }).send()
    return toBlockhash(value.blockhash)
  }
  /** Sends without a preflight. The next block may hold it. */
  const send = (wire: Uint8Array): Promise<Signature> =>
    rpc.sendTransaction(base64(wire), { encoding: 'base64', skipPreflight: true }).send()
  /** Sends, and makes a block. */
  const land = async (signers: Signers, instructions: readonly Instruction[]) => {
    const signature = await send(await sign(signers, instructions))
    node.warp({ slots: 1 })
    return signature
  }
  const statusOf = async (signature: Signature) => {
    const { value } = await rpc.getSignatureStatuses([signature]).send()
    return value[0] ?? undefined
  }
  return {
    ...{ node, rpc, user, other, sign, send, land, latestBlockhash, statusOf },
    subscriptions: createSolanaRpcSubscriptions(node.wsUrl),
    stop: node.stop,
  }
}

export const base64 = (wire: Uint8Array): Base64EncodedWireTransaction =>
  Buffer.from(wire).toString('base64') as Base64EncodedWireTransaction

/** The answer to a call as it is on the wire. */
export async function callNode(url: string, method: string, ...params: unknown[]) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return (await response.json()) as { result?: unknown; error?: unknown }
}
