import type { SvmRpc } from '#src/chains/svm/svmRpc.ts'
import { AppError } from '#src/core/errors.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { blockhashOf } from '#src/core/units/svm/blockhash.ts'
import { type Pubkey, svmNative } from '#src/core/units/svm/pubkey.ts'
import { type AccountData, decodeTokenAccount } from '#src/protocol/svm/accounts.ts'
import { associatedTokenAddress } from '#src/protocol/svm/derivedAddress.ts'
import { unsignedTransaction } from '#src/protocol/svm/transaction.ts'
import { type SvmTransactionData, toInstruction } from '#src/protocol/svm/transactionData.ts'

/** An account of a chain as quotes read it. */
export type SvmAccount = AccountData & Readonly<{ lamports: bigint; executable: boolean }>

/** What a quote reads of svm chains. Every function throws an AppError if no node answers in time. */
export type SvmReads = Readonly<{
  /** In the order of the request; undefined for each account that does not exist. */
  accounts: (
    chainId: ChainId,
    accounts: readonly Pubkey[],
  ) => Promise<readonly (SvmAccount | undefined)[]>
  /** What the account holds of a currency; of a token: in the associated account. */
  balance: (chainId: ChainId, account: Pubkey, currency: Pubkey) => Promise<Amount>
  /** The compute units of a transaction; undefined if it would fail now. */
  computeUnits: (chainId: ChainId, data: SvmTransactionData) => Promise<bigint | undefined>
}>

type Clients = ReadonlyMap<ChainId, Pick<SvmRpc, 'getAccounts' | 'simulate'>>

/** Longest time that a quote waits for a node. */
const readMs = 2_000

/** Stands for the block hash, which the node replaces. */
const anyBlockhash = blockhashOf(new Uint8Array(32))

export function createSvmReads(clients: Clients): SvmReads {
  const clientOf = (chainId: ChainId) => {
    const client = clients.get(chainId)
    if (client === undefined) throw new SvmReadError(chainId)
    return client
  }
  const accounts: SvmReads['accounts'] = async (chainId, asked) => {
    const read = clientOf(chainId).getAccounts(asked, 'confirmed')
    return (await inTime(chainId, read)).accounts
  }
  return {
    accounts,
    balance: async (chainId, account, currency) => {
      const isNative = currency === svmNative
      const holder = isNative ? account : associatedTokenAddress(account, currency)
      const [found] = await accounts(chainId, [holder])
      if (found === undefined) return toAmount(0n)
      return toAmount(isNative ? found.lamports : (decodeTokenAccount(found)?.amount ?? 0n))
    },
    computeUnits: async (chainId, { payer, instructions }) => {
      const message = {
        payer,
        instructions: instructions.map(toInstruction),
        lifetime: anyBlockhash,
      }
      const simulated = clientOf(chainId).simulate(unsignedTransaction(message))
      const { error, unitsConsumed } = await inTime(chainId, simulated)
      if (error !== undefined) return undefined
      if (unitsConsumed === undefined) throw new SvmReadError(chainId)
      return BigInt(unitsConsumed)
    },
  }
}

/** @throws SvmReadError after `readMs` */
async function inTime<Answer>(chainId: ChainId, answer: Promise<Answer>): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new SvmReadError(chainId)), readMs)
  })
  try {
    return await Promise.race([answer, deadline])
  } finally {
    clearTimeout(timer)
  }
}

/** No node of the chain has answered in time. */
class SvmReadError extends AppError {
  constructor(chainId: ChainId) {
    super('RPC_HTTP_ERROR', `No node of chain ${chainId} answers at the moment.`, { chainId })
  }
}
