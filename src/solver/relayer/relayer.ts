import { createReadFinal } from '#src/chains/follow/finality.ts'
import { parse, quantity } from '#src/chains/rpc/rpcAnswer.ts'
import type { ChainConfig } from '#src/config/config.ts'
import { type Address, toAddress } from '#src/core/units/address.ts'
import { type RelayedCallStore, relayedTransactionId } from '#src/requests/relayedCall.ts'
import { type ChainView, readView } from '#src/solver/chainView.ts'
import { createMonitor } from '#src/solver/monitor/monitor.ts'
import { createNonceRecovery } from '#src/solver/monitor/nonceRecovery.ts'
import type { StillPays } from '#src/solver/monitor/stillPays.ts'
import type { SolverChain, WorkerPorts } from '#src/solver/ports.ts'
import { createRounds } from '#src/solver/rounds.ts'
import { createSignerAlarm } from '#src/solver/sending/identityCheck.ts'
import { createOutbox } from '#src/solver/sending/outbox.ts'
import { createSharedOutbox } from '#src/solver/sending/sharedOutbox.ts'
import { createRelayedCalls } from './relayedCalls.ts'
import { readRelayerRoles } from './relayerRoles.ts'

export type Relayer = Readonly<{
  /** Works until `signal` fires. Only one process at a time may run it for a chain and an account. */
  run: (signal: AbortSignal) => Promise<void>
  /** For health checks and metrics; the gateway's `WorkerStatus` documents the fields. */
  status: () => Readonly<{
    block: bigint | undefined
    open: number
    failures: number
    signerFailures: number
    unknownNonces: number
    balance: bigint | undefined
    decimals: number
  }>
}>

/**
 * Sends the calls of API keys on one chain, from an account of its own that holds only gas money. Nonces, replacements,
 * reorgs and crashes are handled as in the solver.
 */
export function createRelayer(
  ports: WorkerPorts,
  { chain, identity }: Readonly<{ chain: ChainConfig; identity: Address }>,
): Relayer {
  const { client, verifiedChains, market, store } = ports
  const { contracts } = chain
  if (contracts === undefined) throw new Error(`Chain ${chain.id} has no contracts`)
  const relayer = toAddress(ports.account.address)
  const signerAlarm = createSignerAlarm(ports, chain)
  const signing = { ...ports, account: signerAlarm.watch(ports.account) }
  const relayerChain: SolverChain = { chain, contracts, solver: relayer, identity: relayer }
  const outbox = createSharedOutbox(createOutbox(signing, relayerChain), ports.span)
  const monitor = createMonitor(ports, relayerChain, outbox, staysWithin(store))
  const recoverNonces = createNonceRecovery(ports, relayerChain, outbox)
  const readFinal = createReadFinal(client, chain)
  const send = createRelayedCalls(ports, relayerChain, outbox, {
    readRoles: () => readRelayerRoles(client, { contracts, relayer, identity }),
  })
  let lastView: ChainView | undefined
  let balance: bigint | undefined

  async function runRound(): Promise<void> {
    if (!(await verifiedChains.isVerified(chain.id))) return
    try {
      balance = await client.ask(
        { method: 'eth_getBalance', params: [relayer, 'latest'] },
        (answer) => parse(quantity, answer),
      )
      const { view, missing, unknown } = await outbox.openAlone(() =>
        readView({ ...ports, readFinal }, relayerChain),
      )
      rounds.reportUnknown(unknown, view)
      await monitor.inspect(view)
      await recoverNonces(view, missing)
      if (missing.length > 0 || unknown > 0 || market.latest(chain.id) === undefined) return
      await send(view)
      lastView = view
    } finally {
      await outbox.flushed()
    }
  }

  const rounds = createRounds(ports, {
    name: 'relayer',
    chain,
    account: relayer,
    runRound,
    concerns: ({ isSubmitted }) => isSubmitted === true,
    ended: outbox.flushed,
  })

  return {
    run: rounds.run,
    status: () => ({
      block: lastView?.head.number,
      open: lastView?.open.length ?? 0,
      failures: rounds.failures(),
      signerFailures: signerAlarm.failures(),
      unknownNonces: rounds.unknownNonces(),
      balance,
      decimals: chain.nativeCurrency.decimals,
    }),
  }
}

/** Raises a fee only while the cost of the call stays within the reserved `maxCost`. */
const staysWithin =
  ({ relayedCallsOf }: RelayedCallStore): StillPays =>
  async ({ requestId, transactionId }, { maxFeePerGas }) => {
    const calls = requestId === undefined ? [] : await relayedCallsOf(requestId)
    const call = calls.find((each) => relayedTransactionId(each) === transactionId)
    return call !== undefined && call.gas * maxFeePerGas <= call.maxCost
  }
