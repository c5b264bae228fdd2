import { address } from '@solana/kit'
import { programIds, sysvars } from '#src/protocol/svm/programIds.ts'

export const systemProgram = address(programIds.system)
export const computeBudgetProgram = address(programIds.computeBudget)
export const tokenProgram = address(programIds.token)
export const token2022Program = address(programIds.token2022)
export const upgradeableLoader = address(programIds.upgradeableLoader)
export const clockSysvar = address(sysvars.clock)
