import { concatBytes } from 'viem'
import type { Pubkey } from '#src/core/units/svm/pubkey.ts'
import type { AccountData } from './accounts.ts'
import { u32, u64 } from './bytes.ts'
import { programDataAddress } from './depository/depositoryAddresses.ts'
import { type Instruction, reads, signs, writes } from './instruction.ts'
import { programIds, sysvars } from './programIds.ts'

/** Bytes of a buffer before the program. @source solana-loader-v3-interface: UpgradeableLoaderState */
export const bufferHeaderBytes = 37

/** Bytes of a program's account, which names the account of its code. */
export const programAccountBytes = 36

const loader = programIds.upgradeableLoader

/** @source solana-loader-v3-interface: UpgradeableLoaderInstruction, in the order of its variants */
const tags = { initializeBuffer: 0, write: 1, deployWithMaxDataLength: 2, setAuthority: 4 } as const

export const initializeBuffer = (buffer: Pubkey, authority: Pubkey): Instruction => ({
  programId: loader,
  keys: [writes(buffer), reads(authority)],
  data: u32(tags.initializeBuffer),
})

type Written = Readonly<{ buffer: Pubkey; authority: Pubkey; offset: number; bytes: Uint8Array }>

export const writeBuffer = ({ buffer, authority, offset, bytes }: Written): Instruction => ({
  programId: loader,
  keys: [writes(buffer), signs(reads(authority))],
  data: concatBytes([u32(tags.write), u32(offset), u64(BigInt(bytes.length)), bytes]),
})

type Deployment = Readonly<{
  payer: Pubkey
  program: Pubkey
  buffer: Pubkey
  /** May upgrade the program. */
  authority: Pubkey
  /** Bytes that an upgrade may have. */
  maxBytes: number
}>

export const deployBuffer = (deployment: Deployment): Instruction => ({
  programId: loader,
  keys: [
    signs(writes(deployment.payer)),
    writes(programDataAddress(deployment.program)),
    writes(deployment.program),
    writes(deployment.buffer),
    reads(sysvars.rent),
    reads(sysvars.clock),
    reads(programIds.system),
    signs(reads(deployment.authority)),
  ],
  data: concatBytes([u32(tags.deployWithMaxDataLength), u64(BigInt(deployment.maxBytes))]),
})

type Handover = Readonly<{ program: Pubkey; authority: Pubkey; next: Pubkey }>

/** Lets `next` upgrade the program, and `authority` no longer. */
export const setUpgradeAuthority = ({ program, authority, next }: Handover): Instruction => ({
  programId: loader,
  keys: [writes(programDataAddress(program)), signs(reads(authority)), reads(next)],
  data: u32(tags.setAuthority),
})

/** The code in a buffer. Undefined unless the account is one. */
export const bufferedCode = ({ owner, data }: AccountData): Uint8Array | undefined =>
  owner === loader && data.length >= bufferHeaderBytes
    ? data.subarray(bufferHeaderBytes)
    : undefined
