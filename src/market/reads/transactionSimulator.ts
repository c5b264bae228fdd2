import {
  type BaseError,
  encodeFunctionData,
  isHex,
  numberToHex,
  parseAbi,
  RpcRequestError,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { z } from 'zod'
import { isCallError } from '#src/chains/read/callContracts.ts'
import { readAuthority, toRpcAuthorization } from '#src/chains/read/readAuthority.ts'
import { NodesBusyError } from '#src/chains/rpc/callGate.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { bytes, gas, parse, quantity } from '#src/chains/rpc/rpcAnswer.ts'
import { RpcRefusedError } from '#src/chains/rpc/rpcError.ts'
import { AppError } from '#src/core/errors.ts'
import { gasLimitFor } from '#src/core/pricing/gas/gas.ts'
import { type Address, toAddress } from '#src/core/units/address.ts'
import type { AuthorityState, Authorization } from '#src/core/units/authorization.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { type CallGates, createGatedAsk, type GatedAsk } from './gatedAsk.ts'

/** A transaction that has not been sent. */
type UnsentTransaction = Readonly<{
  chainId: ChainId
  from: Address
  to: Address
  data: `0x${string}`
  /** In wei. */
  value: bigint
  /** What the transaction applies first (EIP-7702). */
  authorizationList?: readonly Omit<Authorization, 'authority'>[]
}>

/** Tries one transaction on the nodes' newest block. */
export type TransactionTrials = Readonly<{
  /**
   * Whether the transaction would fail.
   * @throws AppError RPC_HTTP_ERROR if no node answers; OVERLOADED.
   */
  wouldRevert: (transaction: UnsentTransaction) => Promise<boolean>
  /**
   * Calls without a gas price: the account needs no native currency for it.
   * @throws AppError RPC_HTTP_ERROR if no node answers; OVERLOADED.
   */
  tryCall: (transaction: UnsentTransaction) => Promise<CallOutcome>
  /**
   * The gas that a transaction uses, or why it would revert. As `tryCall` without a gas price.
   * @throws AppError RPC_HTTP_ERROR if no node answers; OVERLOADED.
   */
  tryEstimate: (
    transaction: UnsentTransaction,
  ) => Promise<Readonly<{ succeeds: true; gas: bigint }> | RevertedCall>
}>

/** Previews the transactions of a quote. Its answers may be missing: the quote then does without. */
export type TransactionPreviews = Readonly<{
  /**
   * A gas limit 20 % above the estimate. Undefined if the transaction would fail now or if no node answers; the wallet
   * then estimates on its own.
   */
  estimateGas: (transaction: UnsentTransaction) => Promise<bigint | undefined>
  /**
   * The outcomes of transactions sent one after the other, each on the state that the previous ones left. Undefined if
   * no node supports `eth_simulateV1` or answers.
   * @throws AppError OVERLOADED
   */
  simulate: (
    chainId: ChainId,
    transactions: readonly Omit<UnsentTransaction, 'chainId'>[],
  ) => Promise<readonly Outcome[] | undefined>
}>

export type NativeBalances = Readonly<{
  /**
   * Native currency of an account at the newest block, in wei.
   * @throws AppError RPC_HTTP_ERROR if no node answers; OVERLOADED.
   */
  nativeBalance: (chainId: ChainId, account: Address) => Promise<bigint>
}>

/** Simulates transactions on the nodes' newest block. */
export type TransactionSimulator = TransactionTrials &
  TransactionPreviews &
  Authorities &
  NativeBalances

/** `data`: what the call returned, or reverted with. `reason`: the node's message of a revert. */
export type CallOutcome = Readonly<{
  succeeds: boolean
  data: `0x${string}` | undefined
  reason: string | undefined
}>

type RevertedCall = CallOutcome & Readonly<{ succeeds: false }>

/** `gas` includes the base cost of a transaction. `reason` is the node's message. */
type Outcome = Readonly<{
  succeeds: boolean
  gas: bigint
  reason: string | undefined
  /** Absent where it reverts, or where the node tells none. */
  logs?: readonly SimulatedLog[]
}>

/** An event that a simulated transaction emits. */
export type SimulatedLog = Readonly<{
  address: Address
  topics: readonly `0x${string}`[]
  data: `0x${string}`
}>

/** Margin of the gas limit in percent: earlier trades may make a swap cross more ticks. */
const gasMarginPercent = 20n

/** Shorter than the deadline of a request, because requests can be answered without a simulation. */
const defaultDeadline = { deadlineSeconds: 2 }

export function createTransactionSimulator(
  clients: ReadonlyMap<ChainId, ChainClient>,
  gates: CallGates,
  { deadlineSeconds } = defaultDeadline,
): TransactionSimulator {
  const ask = createGatedAsk(clients, gates, deadlineSeconds)
  return {
    ...createTrials(ask),
    ...createPreviews(ask),
    ...createAuthorities(ask),
    nativeBalance: async (chainId, account) => {
      const request = { method: 'eth_getBalance', params: [account, 'latest'] }
      const balance = await ask(chainId, 'reads', (client, signal) =>
        client.ask(request, (answer) => parse(quantity, answer), signal),
      )
      if (balance === undefined) throw new Error('eth_getBalance has no answer')
      return balance
    },
  }
}

async function estimate(
  ask: GatedAsk,
  { chainId, ...transaction }: UnsentTransaction,
  kind: keyof CallGates,
): Promise<bigint> {
  const request = { method: 'eth_estimateGas', params: [callOf(transaction)] }
  const found = await ask(chainId, kind, (client, signal) =>
    client.ask(request, (answer) => parse(gas, answer), signal),
  )
  if (found === undefined) throw new Error('A node estimates no gas, and reports no error')
  return found
}

const createTrials = (ask: GatedAsk): TransactionTrials => ({
  wouldRevert: async (transaction) => {
    try {
      await estimate(ask, transaction, 'reads')
      return false
    } catch (error) {
      if (isCallError(error)) return true
      throw error
    }
  },
  tryEstimate: async (transaction) => {
    try {
      return { succeeds: true, gas: await estimate(ask, transaction, 'reads') }
    } catch (error) {
      if (!isCallError(error)) throw error
      return { succeeds: false, ...revertIn(error as BaseError) }
    }
  },
  tryCall: async ({ chainId, ...transaction }) => {
    const request = { method: 'eth_call', params: [callOf(transaction), 'latest'] }
    try {
      const data = await ask(chainId, 'reads', (client, signal) =>
        client.ask(request, (answer) => parse(bytes, answer), signal),
      )
      return { succeeds: true, data, reason: undefined }
    } catch (error) {
      if (!isCallError(error)) throw error
      return { succeeds: false, ...revertIn(error as BaseError) }
    }
  },
})

const createPreviews = (ask: GatedAsk): TransactionPreviews => ({
  estimateGas: async (transaction) => {
    try {
      return gasLimitFor(await estimate(ask, transaction, 'estimates'), gasMarginPercent)
    } catch (error) {
      if (isCallError(error) || error instanceof AppError) return undefined
      throw error
    }
  },
  simulate: async (chainId, transactions) => {
    const calls = transactions.map(callOf)
    const request = {
      method: 'eth_simulateV1',
      params: [{ blockStateCalls: [{ calls }] }, 'latest'],
    }
    try {
      return await ask(chainId, 'reads', (client, signal) =>
        client.ask(request, parseOutcomes, signal),
      )
    } catch (error) {
      // Callers could have each other's calls go unsimulated.
      if (error instanceof NodesBusyError) throw error
      if (isCallError(error) || error instanceof AppError) return undefined
      throw error
    }
  },
})

/** Some nodes wrap the revert data in another object. */
function revertIn(error: BaseError): Omit<CallOutcome, 'succeeds'> {
  const found = error.walk((each) => each instanceof RpcRequestError)
  if (!(found instanceof RpcRequestError)) return { data: undefined, reason: undefined }
  const { data, details } = found
  const inner = typeof data === 'object' && data !== null && 'data' in data ? data.data : data
  return { data: isHex(inner) ? inner : undefined, reason: details }
}

/** As nodes take it. The steps of quotes carry fees as well, which the account may not be able to pay. */
const callOf = ({
  from,
  to,
  data,
  value,
  authorizationList,
}: Omit<UnsentTransaction, 'chainId'>) => ({
  from,
  to,
  data,
  value: numberToHex(value),
  ...(authorizationList !== undefined && {
    authorizationList: authorizationList.map(toRpcAuthorization),
  }),
})

const hexText = z.custom<`0x${string}`>((value) => /^0x([0-9a-f]{2})*$/i.test(String(value)))

const simulatedLog = z.object({
  address: hexText.transform((text) => toAddress(text.toLowerCase())),
  topics: z.array(hexText).max(4),
  data: hexText,
})

const simulated = z
  .array(
    z.object({
      calls: z.array(
        z.object({
          status: z.enum(['0x0', '0x1']),
          gasUsed: z
            .string()
            .regex(/^0x[0-9a-f]{1,16}$/i)
            .transform(BigInt),
          error: z.object({ message: z.string().max(10_000) }).nullish(),
          logs: z.array(simulatedLog).max(10_000).nullish(),
        }),
      ),
    }),
  )
  .length(1)
  .transform(([block]) =>
    (block?.calls ?? []).map(
      ({ status, gasUsed, error, logs }): Outcome => ({
        succeeds: status === '0x1',
        gas: gasUsed,
        reason: error?.message,
        ...(logs != null && { logs }),
      }),
    ),
  )

/** Undefined for an invalid answer. */
const parseOutcomes = (answer: unknown): readonly Outcome[] | undefined =>
  simulated.safeParse(answer).data

/** Reads for quotes with EIP-7702 authorizations. */
export type Authorities = Readonly<{
  /**
   * Whether the chain applies authorizations and its nodes simulate them. A positive answer is cached forever.
   * @throws AppError RPC_HTTP_ERROR if no node answers; OVERLOADED.
   */
  supportsAuthorizations: (chainId: ChainId) => Promise<boolean>
  /**
   * The states of the accounts in the newest block, in the same order.
   * @throws AppError as `supportsAuthorizations`.
   */
  readAuthorities: (
    chainId: ChainId,
    accounts: readonly Address[],
  ) => Promise<readonly AuthorityState[]>
}>

const chainIdCall = encodeFunctionData({
  abi: parseAbi(['function getChainId() view returns (uint256)']),
})

function createAuthorities(ask: GatedAsk): Authorities {
  const supporting = new Set<ChainId>()

  return {
    supportsAuthorizations: async (chainId) => {
      if (supporting.has(chainId)) return true
      const applies = await ask(chainId, 'reads', simulateDelegation)
      if (applies) supporting.add(chainId)
      return applies
    },
    readAuthorities: (chainId, accounts) =>
      ask(chainId, 'reads', (client) =>
        Promise.all(accounts.map((account) => readAuthority(client, account))),
      ),
  }
}

/** Calls an account that nobody uses, with an authorization that gives it the code of Multicall3. Nothing is sent. */
async function simulateDelegation(client: ChainClient, signal: AbortSignal): Promise<boolean> {
  const { chain } = client
  const account = privateKeyToAccount(generatePrivateKey())
  const address = toAddress(chain.contracts.multicall3.address)
  const {
    r,
    s,
    yParity = 0,
  } = await account.signAuthorization({
    chainId: chain.id,
    nonce: 0,
    contractAddress: address,
  })
  const signed = { chainId: chain.id, nonce: 0, address, r, s, yParity }
  const call = {
    to: account.address,
    data: chainIdCall,
    authorizationList: [toRpcAuthorization(signed)],
  }
  const request = { method: 'eth_call', params: [call, 'latest'] }
  try {
    const returned = await client.ask(request, (answer) => String(answer), signal)
    return (
      returned !== undefined && /^0x[0-9a-f]{64}$/i.test(returned) && Number(returned) === chain.id
    )
  } catch (error) {
    // Nodes without EIP-7702 refuse the field or the transaction type.
    if (isCallError(error) || error instanceof RpcRefusedError) return false
    throw error
  }
}
