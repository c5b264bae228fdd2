import type { ChainConfig } from '#src/config/config.ts'
import { ignoreFailure } from '#src/core/errors.ts'
import type { Market } from '#src/core/pricing/market.ts'
import { type Account, evmAddress, nativeAddress, toAddress } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { type Currency, currencyKey } from '#src/core/units/currency.ts'
import { evmHash } from '#src/core/units/txId.ts'
import { vmTypeOf } from '#src/core/units/vmType.ts'
import {
  type ContractKind,
  type ContractKinds,
  configuredContracts,
} from '#src/market/contracts/contractKinds.ts'
import type { Markets } from '#src/market/markets.ts'
import { permit2Address } from '#src/protocol/contracts/protocolContracts.ts'
import { FieldError, type FieldPath, throwTogether } from '#src/service/input/fieldError.ts'

export type PayeeDeps = Readonly<{
  /** Finds a currency without an RPC call. */
  knownCurrency: (chainId: ChainId, address: Account) => Currency | undefined
  knownContract: KnownContract
}>

/** An account that a request may pay, and its field. */
export type Payee = Readonly<{ path: FieldPath; chainId: ChainId; payee: Account }>

type Place = Readonly<{ chainId: ChainId; address: Account }>

/**
 * Refuses payees that would lose the funds: the zero address, currency contracts, and contracts that are known to be no
 * wallets. Makes no RPC call.
 * @param currencies the order's own.
 * @throws AppError INVALID_RECIPIENT that names every bad field once.
 */
export function checkPayeeAddresses(
  deps: PayeeDeps,
  payees: readonly Payee[],
  currencies: readonly Place[],
): void {
  const own = new Set(currencies.map(currencyKey))
  throwLossy(payees, ({ chainId, payee }) => {
    if (payee === nativeAddress) return 'the zero address'
    if (
      deps.knownCurrency(chainId, payee) !== undefined ||
      own.has(currencyKey({ chainId, address: payee }))
    )
      return `the contract of a currency on chain ${chainId}`
    return deps.knownContract(chainId, payee)
  })
}

/**
 * @param describe says what a payee that would lose the funds is; undefined for any other.
 * @throws AppError INVALID_RECIPIENT that names every bad field once.
 */
function throwLossy(
  payees: readonly Payee[],
  describe: (payee: Payee) => string | undefined,
): void {
  const errors = payees.flatMap((each) => {
    const what = describe(each)
    if (what === undefined) return []
    const reason = `${each.payee} is ${what}; funds would be lost`
    return [new FieldError('INVALID_RECIPIENT', each.path, reason)]
  })
  if (errors.length === 0) return
  const fields = new Map(errors.toReversed().map((error) => [error.place.join('.'), error]))
  throwTogether([...fields.values()].toReversed())
}

const texts: Readonly<Record<ContractKind, string>> = {
  currency: 'the contract of a currency',
  pool: 'a pool',
  router: 'a router of pools',
  factory: 'a factory of pools',
}

/**
 * Refuses payees whose code is that of a currency, pool, router or factory, which nothing in memory knows. Accepts all
 * if no node answers. Accounts of svm chains are checked elsewhere.
 * @throws AppError INVALID_RECIPIENT that names every bad field once.
 */
export async function checkPayeeContracts(
  { contractKinds }: Readonly<{ contractKinds: ContractKinds }>,
  payees: readonly Payee[],
  market: Market,
): Promise<void> {
  const own = payees.filter(({ payee }) => vmTypeOf(payee) === 'evm')
  const chains = [...Map.groupBy(own, ({ chainId }) => chainId)]
  const found = await Promise.all(
    chains.map(async ([chainId, group]) => {
      const addresses = group.map(({ payee }) => evmAddress(payee))
      const hash = market.chains.get(chainId)?.block.hash
      const kinds =
        hash && (await contractKinds.read(chainId, addresses, evmHash(hash)).catch(ignoreFailure))
      return group.map((payee, at) => ({ payee, kind: kinds?.[at] }))
    }),
  )
  const lossy = new Map(
    found.flat().flatMap(({ payee, kind }) => {
      const what = kind && `${texts[kind]} on chain ${payee.chainId}`
      return what === undefined ? [] : [[payee, what] as const]
    }),
  )
  throwLossy(payees, (payee) => lossy.get(payee))
}

/** Describes a contract that is no wallet, for users. Undefined for any other address. Reads nothing. */
export type KnownContract = (chainId: ChainId, address: Account) => string | undefined

/** Contracts with the same address on every chain. */
const shared: ReadonlyMap<Account, string> = new Map([
  [permit2Address, 'the Permit2 contract'],
  [toAddress('0xca11bde05977b3631167028862be2a173976ca11'), 'the Multicall3 contract'],
  [toAddress('0x4e59b44847b379578588920ca78fbf26c0b4956c'), 'the deployer of contracts'],
  [toAddress('0x5ff137d4b0fdcd49dca30c7cf57e578a026d2789'), 'an entry point of ERC-4337'],
  [toAddress('0x0000000071727de22e5e9d8baf0edac6f37da032'), 'an entry point of ERC-4337'],
])

/** Covers Ethereum's precompiles, P256VERIFY at 0x100, and Arbitrum's. */
const lastPrecompile = 0x1ffn
/** @source OP stack, predeploys: https://specs.optimism.io/protocol/predeploys.html */
const firstPredeploy = 0x4200000000000000000000000000000000000000n
const lastPredeploy = firstPredeploy + 0x7ffn

/** The contracts of the configuration, the pools of the market, and the contracts that every chain has. */
export function createKnownContracts(
  chains: readonly ChainConfig[],
  latest: Markets['latest'],
): KnownContract {
  const configured = new Map(
    chains.map((chain) => [
      chain.id,
      {
        isOpStack: chain.l1DataFee === 'opStack',
        ours: new Set(Object.values(chain.contracts ?? {})),
        all: new Set(configuredContracts(chain).map(({ address }) => address)),
      },
    ]),
  )
  return (chainId, account) => {
    const address = evmAddress(account)
    const place = BigInt(address)
    if (place <= lastPrecompile) return 'a precompile'
    const chain = configured.get(chainId)
    if (chain?.ours.has(address)) return `a contract of this gateway on chain ${chainId}`
    if (chain?.all.has(address)) return `a contract that this gateway uses on chain ${chainId}`
    if (latest(chainId)?.graph.topology.poolNumbers.has(address))
      return `a pool on chain ${chainId}`
    if (chain?.isOpStack && place >= firstPredeploy && place <= lastPredeploy)
      return `a system contract of chain ${chainId}`
    return shared.get(address)
  }
}
