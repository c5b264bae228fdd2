import { readFileSync } from 'node:fs'
import { address } from '@solana/kit'
import type { Hash } from 'viem'
import { expect, vi } from 'vitest'
import { createSvmClient } from '#src/chains/svm/svmClient.ts'
import { createLog } from '#src/config/log.ts'
import { type SvmChainConfig, svmChain } from '#src/config/svm/svmChain.ts'
import type { Account } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import { toBlockhash } from '#src/core/units/svm/blockhash.ts'
import { type Pubkey, svmNative } from '#src/core/units/svm/pubkey.ts'
import type { SvmSignature } from '#src/core/units/svm/signature.ts'
import { createMints } from '#src/devnet/svm/deployment/createMints.ts'
import { deployProgram } from '#src/devnet/svm/deployment/deployProgram.ts'
import { systemProgram } from '#src/devnet/svm/node/addresses.ts'
import { startSvmNode } from '#src/devnet/svm/startSvmNode.ts'
import { svmAllocator, svmOwner, svmSigner, svmSolver } from '#src/devnet/svm/svmAccounts.ts'
import { type DepositCall, depositCall } from '#src/protocol/svm/depository/depositCalls.ts'
import { recordAddress, vaultAddress } from '#src/protocol/svm/depository/depositoryAddresses.ts'
import { decodeDepositoryRecord } from '#src/protocol/svm/depository/depositoryState.ts'
import { initializeCall, setLimitCall } from '#src/protocol/svm/depository/ownerCalls.ts'
import type { PayoutCall } from '#src/protocol/svm/depository/payoutCalls.ts'
import type { Instruction } from '#src/protocol/svm/instruction.ts'
import type { SvmSigner } from '#src/protocol/svm/signer.ts'
import { createTokenAccount } from '#src/protocol/svm/tokenProgram.ts'
import { type SignedTransaction, signTransaction } from '#src/protocol/svm/transaction.ts'
import { createLocalBus } from '#src/requests/events/bus.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import { createSvmTracker } from '#src/requests/tracker/svm/svmTracker.ts'
import { recordLog } from '#test/support/chains/testChain.ts'
import { quotedRequest } from '#test/support/fixtures/quotedRequest.ts'
import { startRpcProxy } from '#test/support/nodes/rpcProxy.ts'
import { patience, randomId } from '#test/support/rigs/trackerRig.ts'
import { createPgliteHome } from '#test/support/store/storeHome.ts'

export const svmChainId = toChainId(990004)
export const exitSeconds = 3_600
const mint = svmSigner('mint of the tracker')
const unlistedMint = svmSigner('unlisted mint of the tracker')
export const token: Pubkey = mint.pubkey
export const unlisted: Pubkey = unlistedMint.pubkey
const program = svmSigner('depository of the tracker')
export const [user, other] = [svmSigner('user 1'), svmSigner('user 2')] as const

type Sent = Readonly<{ signature: SvmSignature; slot: bigint }>
export type Signers = readonly [SvmSigner, ...SvmSigner[]]

/** A cluster whose time stands still, with the depository and its currencies. Each has another genesis. */
export async function startDepositoryNode() {
  const funded = [user, other, svmSolver, svmAllocator, svmOwner].map(({ pubkey }) => ({
    address: address(pubkey),
    lamports: 10_000_000_000_000n,
    owner: systemProgram,
    data: new Uint8Array(),
    isExecutable: false,
  }))
  const node = await startSvmNode({ log: createLog('silent'), port: 0, genesisAccounts: funded })
  const code = new Uint8Array(readFileSync('src/protocol/svm/program/depository.so'))
  const [owner, id] = [svmOwner, program.pubkey]
  await deployProgram(node, { owner, program, buffer: svmSigner('buffer'), code })
  const holders = [user, other, svmSolver].map(({ pubkey }) => pubkey)
  const mints = [mint, unlistedMint].map((signer) => ({ signer, decimals: 6 }))
  await createMints(node, owner, mints, { holders, amount: 1_000_000n })
  const roles = { owner: owner.pubkey, allocator: svmAllocator.pubkey, payee: svmSolver.pubkey }
  const authority = owner.pubkey
  const initialize = { ...roles, authority, exitSeconds: BigInt(exitSeconds) }
  const vaultToken = { payer: authority, owner: vaultAddress(id), mint: token }
  const limit = { owner: authority, hourly: 10n ** 15n }
  await node.land([
    { signers: [owner], instructions: [initializeCall(id, initialize)] },
    {
      signers: [owner],
      instructions: [
        createTokenAccount(vaultToken),
        ...[svmNative, token].map((currency) => setLimitCall(id, { ...limit, currency })),
      ],
    },
  ])
  node.warp({ slots: 3 })
  return node
}

/** A cluster behind a proxy, a store, and trackers that follow the depository into the store. */
export async function startSvmTrackerRig(changes: Partial<SvmChainConfig> = {}) {
  const node = await startDepositoryNode()
  const proxy = await startRpcProxy(node.url)
  const home = await createPgliteHome()
  const bus = createLocalBus()
  const store = await home.open({ bus })
  const { log, lines } = recordLog()
  const id = program.pubkey
  const running = new Set<() => Promise<void>>()
  const ends: (() => unknown)[] = []

  /** The client and the configuration of a chain at this node. */
  async function connect(url: string, others: readonly string[] = []) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getGenesisHash', params: [] })
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(url, { method: 'POST', headers, body })
    const { result } = (await answer.json()) as { result: string }
    const config = svmChain.parse({
      vmType: 'svm',
      id: svmChainId,
      name: 'svm',
      displayName: 'SVM',
      genesisHash: result,
      rpcUrls: [url, ...others],
      nativeCurrency: { symbol: 'SOL', name: 'Solana' },
      program: id,
      blockSeconds: 0.01,
    })
    const client = createSvmClient(config, log, { timeoutSeconds: 2 })
    ends.push(client.close)
    return { client, config: { ...config, ...changes } }
  }
  const { client, config } = await connect(proxy.url)

  function track(over: RequestStore = store, at = { client, config }, isDevnet = true) {
    const ending = new AbortController()
    const deps = { client: at.client, log, store: over, bus, now: Date.now }
    const tracker = createSvmTracker(deps, { chain: at.config, isDevnet })
    const run = tracker.run(ending.signal)
    const stop = async () => {
      running.delete(stop)
      ending.abort()
      await run
    }
    running.add(stop)
    return { stop, status: tracker.status }
  }

  const sign = (
    signers: Signers,
    instructions: readonly Instruction[],
  ): Promise<SignedTransaction> => {
    const lifetime = toBlockhash(node.tip().blockhash)
    return signTransaction({ payer: signers[0].pubkey, instructions, lifetime }, signers)
  }

  /** Makes a block with the transactions, failed ones too, and waits until it is final. */
  async function land(...signed: readonly SignedTransaction[]): Promise<Sent> {
    for (const { bytes } of signed) await client.send(bytes)
    node.warp({ slots: 1 })
    const slot = BigInt(node.tip().slot)
    node.warp({ slots: 2 })
    return { signature: (signed[0] as SignedTransaction).signature, slot }
  }

  const stateOf = async (requestId: string) => {
    const found = await store.find(requestId)
    if (found === undefined) throw new Error(`No ${requestId}`)
    return found.state
  }

  return {
    ...{ node, proxy, store, bus, lines, client, config, connect, track, sign, land, stateOf },
    program: id,
    vault: vaultAddress(id),

    send: async (signers: Signers, instructions: readonly Instruction[]) =>
      land(await sign(signers, instructions)),

    /** A deposit of 1,000 units by `user`. */
    depositOf: (orderId: Hash, over: Partial<DepositCall> = {}): DepositCall => ({
      id: orderId,
      depositor: user.pubkey,
      currency: svmNative,
      sender: user.pubkey,
      nonce: 0n,
      amount: 1_000n,
      payer: user.pubkey,
      ...over,
    }),

    call: (deposit: DepositCall): Instruction => depositCall(id, deposit),

    /** A payout of a deposit that the chain would accept. */
    async payoutOf(deposit: DepositCall): Promise<DepositCall & PayoutCall> {
      const { accounts } = await client.getAccounts([recordAddress(id, deposit)], 'processed')
      const record = accounts[0] && decodeDepositoryRecord(id, accounts[0])
      if (record === undefined) throw new Error('There is no record')
      const { owed, slot, rentPayer } = record
      const roles = { allocator: svmAllocator.pubkey, payee: svmSolver.pubkey }
      return { ...deposit, ...roles, owed, slot, rentPayer }
    },

    /** Waits until the request's state matches. */
    shows: (requestId: string, expected: object) =>
      vi.waitFor(async () => expect(await stateOf(requestId)).toMatchObject(expected), patience),

    /** Waits until the tracker has read everything up to now. */
    settled: (tracker: ReturnType<typeof track>) =>
      vi.waitFor(() => expect(tracker.status().head).toBe(BigInt(node.finalSlot())), patience),

    /** Stores a request that waits for a deposit of 1,000 units on this chain. */
    async putRequest(depositCurrency: Account = svmNative, over: object = {}) {
      const requestId = randomId()
      const quoted = quotedRequest(requestId)
      if (quoted.execution !== 'solver') throw new Error('Not what the solver fills')
      const least = { depositAmount: toAmount(1_000n), leastDeposit: toAmount(1_000n) }
      const of = { chainId: svmChainId, user: user.pubkey, refundTo: user.pubkey, depositCurrency }
      const request = {
        ...quoted,
        inputs: quoted.inputs.map((each) => ({ ...each, ...least, ...of })),
        originChainId: svmChainId,
        originCurrency: depositCurrency,
        orderId: randomId(),
        deadline: 4_000_000_000,
        order: {
          ...quoted.order,
          output: { ...quoted.order.output, deadline: 4_000_000_000 },
        },
        ...over,
      }
      await store.put(request)
      return request
    },

    /** A transaction of the solver as it is stored before it is sent. */
    transactionOf: (
      { signature, bytes }: SignedTransaction,
      over: Pick<SolverTransaction, 'purpose' | 'depositIds'> & Partial<SolverTransaction>,
    ): SolverTransaction => ({
      transactionId: `${over.purpose}:${signature}`,
      chainId: svmChainId,
      account: svmSolver.pubkey,
      nonce: Math.floor(Math.random() * 1e9),
      spends: [],
      attempts: [
        {
          hash: signature,
          raw: `0x${Buffer.from(bytes).toString('hex')}`,
          maxFeePerGas: 0n,
          maxPriorityFeePerGas: 0n,
        },
      ],
      status: 'sent',
      createdAt: Date.now(),
      version: 0,
      ...over,
    }),

    stopTrackers: () => Promise.all([...running].map((stop) => stop())),
    async stop() {
      await Promise.all([...running].map((stop) => stop()))
      for (const end of ends) await end()
      await Promise.all([node.stop(), proxy.stop()])
      await store.close()
      await home.remove()
    },
  }
}

export type SvmTrackerRig = Awaited<ReturnType<typeof startSvmTrackerRig>>
