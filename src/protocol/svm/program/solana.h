// The part of Solana's C interface that the program needs: the layouts of the runtime's ABI v1, and its system calls.
// Source: the C headers of the Agave SDK (platform-tools-sdk/sbf/c/inc/sol).
#pragma once

typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long u64;
typedef long i64;

// Words, for short code: the runtime hands over every public key at a multiple of 8.
typedef struct { u64 words[4]; } Pubkey;

typedef struct {
  Pubkey *key;
  u64 *lamports;
  u64 dataLength;
  u8 *data;
  Pubkey *owner;
  u64 rentEpoch;
  _Bool isSigner, isWritable, isExecutable;
} Account;

typedef struct { Pubkey *key; _Bool isWritable, isSigner; } AccountMeta;
typedef struct {
  const Pubkey *program;
  AccountMeta *accounts;
  u64 accountCount;
  u8 *data;
  u64 dataLength;
} Instruction;
typedef struct { const void *bytes; u64 length; } Seed;
typedef struct { const Seed *seeds; u64 count; } SignerSeeds;

// Each returns 0 if it succeeds.
u64 sol_invoke_signed_c(const Instruction *, const Account *, u64, const SignerSeeds *, u64);
u64 sol_create_program_address(const Seed *, u64, const Pubkey *program, Pubkey *found);
u64 sol_try_find_program_address(const Seed *, u64, const Pubkey *program, Pubkey *found, u8 *bump);
u64 sol_get_clock_sysvar(void *);
u64 sol_get_rent_sysvar(void *);

typedef struct { u64 slot; i64 epochStart; u64 epoch, leaderScheduleEpoch; i64 unixSeconds; } Clock;
// The threshold is a 64-bit floating point number.
typedef struct { u64 lamportsPerByte, thresholdBits; u8 burnPercent; } Rent;

static inline _Bool isSame(const Pubkey *one, const Pubkey *other) {
  const u64 *a = one->words, *b = other->words;
  return a[0] == b[0] && a[1] == b[1] && a[2] == b[2] && a[3] == b[3];
}
