import type { FailedTransactionMetadata } from 'litesvm'

type InstructionError = string | Readonly<{ Custom: number }> | Readonly<{ BorshIoError: string }>

/** The reason why a transaction failed, in the shape of the JSON-RPC interface. */
export type TransactionError =
  | string
  | Readonly<{ InstructionError: readonly [number, InstructionError] }>
  | Readonly<{ DuplicateInstruction: number }>
  | Readonly<{ InsufficientFundsForRent: Readonly<{ account_index: number }> }>
  | Readonly<{ ProgramExecutionTemporarilyRestricted: Readonly<{ account_index: number }> }>

/** In the sequence of LiteSVM's enum `TransactionErrorFieldless`. */
const transactionErrors = [
  ...['AccountInUse', 'AccountLoadedTwice', 'AccountNotFound', 'ProgramAccountNotFound'],
  ...['InsufficientFundsForFee', 'InvalidAccountForFee', 'AlreadyProcessed', 'BlockhashNotFound'],
  ...['CallChainTooDeep', 'MissingSignatureForFee', 'InvalidAccountIndex', 'SignatureFailure'],
  ...['InvalidProgramForExecution', 'SanitizeFailure', 'ClusterMaintenance'],
  ...['AccountBorrowOutstanding', 'WouldExceedMaxBlockCostLimit', 'UnsupportedVersion'],
  ...['InvalidWritableAccount', 'WouldExceedMaxAccountCostLimit'],
  ...['WouldExceedAccountDataBlockLimit', 'TooManyAccountLocks', 'AddressLookupTableNotFound'],
  ...['InvalidAddressLookupTableOwner', 'InvalidAddressLookupTableData'],
  ...['InvalidAddressLookupTableIndex', 'InvalidRentPayingAccount', 'WouldExceedMaxVoteCostLimit'],
  ...['WouldExceedAccountDataTotalLimit', 'MaxLoadedAccountsDataSizeExceeded'],
  ...['ResanitizationNeeded', 'InvalidLoadedAccountsDataSizeLimit', 'UnbalancedTransaction'],
  ...['ProgramCacheHitMaxLimit', 'CommitCancelled'],
]

/** In the sequence of LiteSVM's enum `InstructionErrorFieldless`. */
const instructionErrors = [
  ...['GenericError', 'InvalidArgument', 'InvalidInstructionData', 'InvalidAccountData'],
  ...['AccountDataTooSmall', 'InsufficientFunds', 'IncorrectProgramId', 'MissingRequiredSignature'],
  ...['AccountAlreadyInitialized', 'UninitializedAccount', 'UnbalancedInstruction'],
  ...['ModifiedProgramId', 'ExternalAccountLamportSpend', 'ExternalAccountDataModified'],
  ...['ReadonlyLamportChange', 'ReadonlyDataModified', 'DuplicateAccountIndex'],
  ...['ExecutableModified', 'RentEpochModified', 'NotEnoughAccountKeys', 'AccountDataSizeChanged'],
  ...['AccountNotExecutable', 'AccountBorrowFailed', 'AccountBorrowOutstanding'],
  ...['DuplicateAccountOutOfSync', 'InvalidError', 'ExecutableDataModified'],
  ...['ExecutableLamportChange', 'ExecutableAccountNotRentExempt', 'UnsupportedProgramId'],
  ...['CallDepth', 'MissingAccount', 'ReentrancyNotAllowed', 'MaxSeedLengthExceeded'],
  ...['InvalidSeeds', 'InvalidRealloc', 'ComputationalBudgetExceeded', 'PrivilegeEscalation'],
  ...['ProgramEnvironmentSetupFailure', 'ProgramFailedToComplete', 'ProgramFailedToCompile'],
  ...['Immutable', 'IncorrectAuthority', 'AccountNotRentExempt', 'InvalidAccountOwner'],
  ...['ArithmeticOverflow', 'UnsupportedSysvar', 'IllegalOwner'],
  ...['MaxAccountsDataAllocationsExceeded', 'MaxAccountsExceeded'],
  ...['MaxInstructionTraceLengthExceeded', 'BuiltinProgramsMustConsumeComputeUnits'],
  ...['BorshIoError'],
]

/** The names without content, by the numbers of the runtime. */
export const allTransactionErrors = {
  transaction: transactionErrors,
  instruction: instructionErrors,
} as const

/** A cluster charges the fee although the transaction could not even start. LiteSVM does not. */
const chargedBeforeExecution: ReadonlySet<TransactionError> = new Set([
  'ProgramAccountNotFound',
  'InvalidProgramForExecution',
  'MaxLoadedAccountsDataSizeExceeded',
])

export const isChargedBeforeExecution = (error: TransactionError): boolean =>
  chargedBeforeExecution.has(error)

export function transactionErrorOf(failed: FailedTransactionMetadata): TransactionError {
  const error = failed.err()
  if (typeof error === 'number') return transactionErrors[error] ?? `Unknown ${error}`
  if ('err' in error)
    return { InstructionError: [error.index, instructionErrorOf(error.err())] as const }
  if ('index' in error) return { DuplicateInstruction: error.index }
  const account = { account_index: error.accountIndex }
  return failed.toString().includes('ProgramExecutionTemporarilyRestricted')
    ? { ProgramExecutionTemporarilyRestricted: account }
    : { InsufficientFundsForRent: account }
}

function instructionErrorOf(
  error: number | Readonly<{ code: number }> | Readonly<{ msg: string }>,
): InstructionError {
  if (typeof error === 'number') return instructionErrors[error] ?? `Unknown ${error}`
  return 'code' in error ? { Custom: error.code } : { BorshIoError: error.msg }
}
