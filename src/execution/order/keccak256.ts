import { createKeccak } from 'hash-wasm'

// WebAssembly, made once; viem's own is JavaScript, and takes 14 times as long.
const hasher = await createKeccak(256)

/** 32 bytes. */
export const keccak256 = (bytes: Uint8Array): Uint8Array =>
  hasher.init().update(bytes).digest('binary')
