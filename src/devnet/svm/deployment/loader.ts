import { concatBytes } from 'viem'
import { type Pubkey, pubkeyBytes, toPubkey } from '#src/core/units/svm/pubkey.ts'
import { u32, u64 } from '#src/protocol/svm/bytes.ts'
import { findProgramAddress } from '#src/protocol/svm/derivedAddress.ts'
import { type Instruction, reads, signs, writes } from '#src/protocol/svm/instruction.ts'
import { programIds, sysvars } from '#src/protocol/svm/programIds.ts'

/** Bytes of a buffer before the program. @source solana-loader-v3-interface: UpgradeableLoaderState */
export const bufferHeaderBytes = 37

/** Bytes of a program's account, which names the account of its code. */
export const programAccountBytes = 36

const clockSysvar = toPubkey('SysvarC1ock11111111111111111111111111111111')

const loader = programIds.upgradeableLoader

/** @source solana-loader-v3-interface: UpgradeableLoaderInstruction, in the order of its variants */
const tags = { initializeBuffer: 0, write: 1, deployWithMaxDataLength: 2 } as const

/** Where the code of a program is. */
const programDataAddress = (program: Pubkey): Pubkey =>
  findProgramAddress([pubkeyBytes(program)], loader).address

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
    reads(clockSysvar),
    reads(programIds.system),
    signs(reads(deployment.authority)),
  ],
  data: concatBytes([u32(tags.deployWithMaxDataLength), u64(BigInt(deployment.maxBytes))]),
})
