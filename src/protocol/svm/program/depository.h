// What the depository program reads and writes: errors, state, programs that it calls.
#pragma once
#include "solana.h"

// Custom errors of a failed transaction, apart from those of the system and token programs.
enum Error {
  UnknownInstruction = 6000,
  WrongArguments,
  WrongAccountCount,
  MissingSignature,
  // An account is not the one that its place needs.
  WrongAccount,
  // The account does not belong to this program, or is one of its accounts of another kind.
  WrongState,
  AlreadyInitialized,
  NotTheUpgradeAuthority,
  NotTheOwner,
  NotTheAllocator,
  InvalidRole,
  InvalidExitTime,
  InvalidMint,
  InvalidTokenAccount,
  // The order of these arguments has a deposit already.
  DepositExists,
  ZeroAmount,
  // The record owes another amount, or the amounts are above it, or it is the record of another deposit.
  NotOwed,
  LimitExceeded,
  // A payout in the slot of the deposit, or an exit before its time.
  TooEarly,
  AlreadyFilled,
  DeadlinePassed,
  Overflow,
  // The vault would hold less than it owes.
  Insolvent,
  UnknownRent,
};

// The runtime hands accounts over by number, and lets nobody but this program write what belongs to it. An account of
// another kind is told by `kind`, which accounts that others made for this program cannot have: they hold zeros.
enum Kind { CONFIG = 0x464e4f43, LEDGER = 0x4744454c, RECORD = 0x44524352 };

typedef struct {
  Pubkey owner, allocator, payee;
  // The payee from `payeeAt` on, in Unix seconds. 0: none is pending.
  Pubkey pendingPayee;
  i64 payeeAt, exitSeconds;
  u8 vaultBump;
  Pubkey vault;
  u32 kind;
} Config;

// One for each currency.
typedef struct {
  // The most that is paid out within an hour, and what was used of it at `updatedAt`, in Unix seconds.
  u64 hourly, used;
  i64 updatedAt;
  // The sum of all records.
  u64 reserved;
  // Zeros for SOL.
  Pubkey mint, vaultToken;
  u32 kind;
} Ledger;

// One for each deposit that is owed something.
typedef struct {
  u64 owed, slot;
  i64 exitTime;
  Pubkey rentPayer;
  u8 bump;
  u32 kind;
} Record;

// Classic token program. Source: spl-token-interface, state.rs
typedef struct { Pubkey mint, owner; u64 amount; u8 delegate[36], state; } TokenAccount;
enum { TOKEN_ACCOUNT_SIZE = 165, MINT_SIZE = 82, MINT_DECIMALS = 44, MINT_INITIALIZED = 45 };

// Source: solana-loader-v3-interface, state.rs: UpgradeableLoaderState::ProgramData
enum { PROGRAM_DATA = 3, PROGRAM_DATA_HAS_AUTHORITY = 12, PROGRAM_DATA_AUTHORITY = 13, PROGRAM_DATA_HEADER = 45 };

// The first bytes of sha256("global:" + name), as Anchor numbers instructions.
enum Method : u64 {
  INITIALIZE = 0xed9b980d1f6dafaf,
  CONFIGURE = 0xd936c45f756c07f5,
  SET_LIMIT = 0xae3c549aeefce033,
  DEPOSIT_NATIVE = 0x061cd55fdf0d9e0d,
  DEPOSIT_TOKEN = 0x13b4a327da609c0b,
  SWEEP_NATIVE = 0x70ee9afb7e055bb3,
  SWEEP_TOKEN = 0x5367b72a37d2b1c5,
  SETTLE = 0xd466839057b92aaf,
  REFUND = 0x2e2ed03ffbb76002,
  EXIT = 0xa0db057e470c20ea,
  MARK_FILLED = 0xa07f054600aa89c0,
};
