// Calls of other programs, and the addresses that this program derives.
#pragma once
#include "depository.h"

#define REQUIRE(condition, error) do { if (!(condition)) return error; } while (0)
#define TRY(call) do { u64 failure = (call); if (failure) return failure; } while (0)

// The words of public keys, in little-endian order.
static const Pubkey SYSTEM = { { 0 } };
static const Pubkey TOKEN = { { 0x93a165d7e1f6dd06, 0xac79ebce46e1cbd9, 0x91375b5fed85b41c, 0xa900ff7e85f58c3a } };
static const Pubkey ASSOCIATED_TOKEN = {
  { 0xf189244e8f25978c, 0x830d8e1429103dbb, 0x8410ffda99135a0b, 0x59f8e9dbd87b8e04 } };
static const Pubkey LOADER = { { 0xb0a1884e91f6a802, 0x2bae63f73e1510e2, 0xd224c1163db9c200, 0x8004107a53c0 } };

// Calls before this one may have changed the length, which stands before the data.
static inline u64 *lengthOf(const Account *account) { return (u64 *)(account->data - 8); }

// `signer` may be 0. The metas are in the order of the accounts.
static u64 callProgram(const Instruction *instruction, Account **accounts, const SignerSeeds *signer) {
  Account copies[4];
  for (u64 i = 0; i < instruction->accountCount; i++) {
    copies[i] = *accounts[i];
    copies[i].dataLength = *lengthOf(accounts[i]);
    instruction->accounts[i].key = accounts[i]->key;
  }
  return sol_invoke_signed_c(instruction, copies, instruction->accountCount, signer, signer ? 1 : 0);
}

static u64 payLamports(Account *from, Account *to, u64 amount, const SignerSeeds *signer) {
  u32 data[3] = { 2, (u32)amount, (u32)(amount >> 32) };
  AccountMeta metas[2] = { { 0, 1, 1 }, { 0, 1, 0 } };
  Instruction transfer = { &SYSTEM, metas, 2, (u8 *)data, 12 };
  Account *accounts[2] = { from, to };
  return callProgram(&transfer, accounts, signer);
}

// The token program checks the mint and its decimals against both token accounts.
typedef struct { Account *from, *mint, *to, *authority; } TokenTransfer;

static u64 payTokens(const TokenTransfer *transfer, u64 amount, const SignerSeeds *signer) {
  u8 data[10] = { 12 };
  for (u64 i = 0; i < 8; i++) data[1 + i] = (u8)(amount >> (8 * i));
  data[9] = transfer->mint->data[MINT_DECIMALS];
  AccountMeta metas[4] = { { 0, 1, 0 }, { 0, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
  Instruction checked = { &TOKEN, metas, 4, data, 10 };
  Account *accounts[4] = { transfer->from, transfer->mint, transfer->to, transfer->authority };
  return callProgram(&checked, accounts, signer);
}

static u64 closeTokenAccount(Account *token, Account *to, Account *authority, const SignerSeeds *signer) {
  u8 data[1] = { 9 };
  AccountMeta metas[3] = { { 0, 1, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
  Instruction close = { &TOKEN, metas, 3, data, 1 };
  Account *accounts[3] = { token, to, authority };
  return callProgram(&close, accounts, signer);
}

// The balance that keeps an account of `size` bytes. The system call, and not an account that claims to be the sysvar.
static u64 rentMinimum(u64 size, u64 *minimum) {
  Rent rent;
  TRY(sol_get_rent_sysvar(&rent));
  // There is no floating point here. The threshold was 2.0 years, and is 1.0 since years do not count (SIMD-0194).
  REQUIRE(rent.thresholdBits == 0x4000000000000000 || rent.thresholdBits == 0x3ff0000000000000, UnknownRent);
  *minimum = (128 + size) * rent.lamportsPerByte * (rent.thresholdBits == 0x4000000000000000 ? 2 : 1);
  return 0;
}

// Checks that `account` is the address of the seeds, and adds the bump to them: the last seed is its place. Only the
// canonical bump counts, so that the same seeds never have two addresses.
static u64 checkAddress(const Pubkey *program, const Account *account, Seed *seeds, u64 count, u8 *bump) {
  Pubkey found;
  TRY(sol_try_find_program_address(seeds, count - 1, program, &found, bump));
  REQUIRE(isSame(&found, account->key), WrongAccount);
  seeds[count - 1] = (Seed){ bump, 1 };
  return 0;
}

// Whether nothing but lamports is at an address.
static inline _Bool isVacant(const Account *account) {
  return isSame(account->owner, &SYSTEM) && *lengthOf(account) == 0;
}

static u64 topUp(Account *payer, Account *account, u64 minimum) {
  return *account->lamports >= minimum ? 0 : payLamports(payer, account, minimum - *account->lamports, 0);
}

// Makes a vacant address an account of this program, with `size` zeros. Anyone may have sent it lamports before:
// the system program's CreateAccount would refuse it then, for ever.
static u64 createAccount(const Pubkey *program, Account *payer, Account *account, u64 size, const SignerSeeds *signer) {
  u64 minimum;
  TRY(rentMinimum(size, &minimum));
  TRY(topUp(payer, account, minimum));
  AccountMeta metas[1] = { { 0, 1, 1 } };
  Account *accounts[1] = { account };
  if (size > 0) {
    u32 allocate[3] = { 8, (u32)size, 0 };
    Instruction allocation = { &SYSTEM, metas, 1, (u8 *)allocate, 12 };
    TRY(callProgram(&allocation, accounts, signer));
  }
  u32 assign[9] = { 1 };
  for (u64 i = 0; i < 8; i++) assign[1 + i] = ((const u32 *)program)[i];
  Instruction assignment = { &SYSTEM, metas, 1, (u8 *)assign, 36 };
  return callProgram(&assignment, accounts, signer);
}

// Ends an account of this program. What stays is vacant: a payment in the same transaction cannot bring its data back.
static void closeAccount(Account *account, Account *rentPayer) {
  *rentPayer->lamports += *account->lamports;
  *account->lamports = 0;
  *lengthOf(account) = 0;
  *account->owner = SYSTEM;
}
