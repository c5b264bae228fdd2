import type { Account } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { type VmType, vmTypeOf } from '#src/core/units/vmType.ts'
import { FieldError, type FieldPath, throwTogether } from '#src/service/input/fieldError.ts'

export type ChainMachines = Readonly<{
  chains: ReadonlyMap<ChainId, Readonly<{ vmType: VmType }>>
}>

/** The machine of a chain; that of an unknown chain does not matter. */
export const machineOf = ({ chains }: ChainMachines, chainId: ChainId): VmType =>
  chains.get(chainId)?.vmType ?? 'evm'

/** A field with an account of a chain. `undefined`: the request leaves it out. */
type AccountField = Readonly<{
  path: FieldPath
  chainId: ChainId
  account: Account | null | undefined
}>

const forms = { evm: '0x and 40 hexadecimal digits', svm: '32 bytes in base58' } as const

/**
 * Refuses accounts whose form is not the one of their chain.
 * @throws AppError INVALID_ADDRESS that names every such field, and the form that its chain needs
 */
export const checkAccountForms = (deps: ChainMachines, fields: readonly AccountField[]): void =>
  throwTogether(
    fields.flatMap(({ path, chainId, account }) => {
      const vmType = machineOf(deps, chainId)
      if (account == null || vmTypeOf(account) === vmType) return []
      const problem = `an address on chain ${chainId} is ${forms[vmType]}`
      return [new FieldError('INVALID_ADDRESS', path, problem, { chainId, vmType })]
    }),
  )
