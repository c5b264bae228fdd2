// What leaves the vault: settlements and refunds, which the allocator signs, and exits, which need nobody.
#pragma once
#include "owner.h"

typedef struct {
  Account *record, *vault, *ledger, *rentPayer;
  // 0 for SOL.
  Account *mint, *vaultToken;
} PayoutAccounts;

typedef struct {
  PayoutAccounts accounts;
  Config *config;
  Ledger *ledger;
  Record *record;
  const Pubkey *depositor;
  Clock clock;
} Payout;

// Arguments of every payout: id, depositor, sender, nonce. Record, vault and ledger are those of this deposit.
static u64 readPayout(const Call *call, const Account *config, Payout *payout) {
  PayoutAccounts *accounts = &payout->accounts;
  payout->config = STATE(call, config, Config, CONFIG);
  payout->record = STATE(call, accounts->record, Record, RECORD);
  REQUIRE(payout->config && payout->record, WrongState);
  const Pubkey *mint = accounts->mint ? accounts->mint->key : &SYSTEM;
  TRY(readLedger(call, accounts->ledger, mint, &payout->ledger));
  REQUIRE(isSame(accounts->vault->key, &payout->config->vault), WrongAccount);
  REQUIRE(isSame(accounts->rentPayer->key, &payout->record->rentPayer), WrongAccount);
  if (accounts->mint) {
    TRY(checkMint(accounts->mint));
    TRY(checkVaultToken(accounts->vaultToken, payout->ledger, &payout->config->vault));
  }
  Pubkey expected;
  payout->depositor = pubkeyAt(call, 32);
  Seed seeds[7] = { { "deposit", 7 }, { call->arguments, 32 }, { payout->depositor, 32 }, { mint, 32 },
    { call->arguments + 64, 32 }, { call->arguments + 96, 8 }, { &payout->record->bump, 1 } };
  REQUIRE(sol_create_program_address(seeds, 7, call->program, &expected) == 0, NotOwed);
  REQUIRE(isSame(&expected, accounts->record->key), NotOwed);
  TRY(sol_get_clock_sysvar(&payout->clock));
  // A record that is closed and made again in one slot would be the same deposit to a signature that names the slot.
  REQUIRE(payout->clock.slot > payout->record->slot, TooEarly);
  return 0;
}

// Pays out of the vault. What was checked of `to` is up to the caller.
static u64 pay(const Payout *payout, Account *to, u64 amount) {
  const PayoutAccounts *accounts = &payout->accounts;
  Seed seeds[2] = { { "vault", 5 }, { &payout->config->vaultBump, 1 } };
  SignerSeeds signer = { seeds, 2 };
  if (!accounts->mint) return payLamports(accounts->vault, to, amount, &signer);
  TokenTransfer transfer = { accounts->vaultToken, accounts->mint, to, accounts->vault };
  return payTokens(&transfer, amount, &signer);
}

// Takes the amount off what is owed, and closes the record that is owed nothing.
static u64 reduceOwed(const Payout *payout, u64 amount) {
  REQUIRE(amount <= payout->record->owed && amount <= payout->ledger->reserved, NotOwed);
  payout->record->owed -= amount;
  payout->ledger->reserved -= amount;
  TRY(checkSolvent(payout->ledger, payout->accounts.vault, payout->accounts.vaultToken));
  if (payout->record->owed == 0) closeAccount(payout->accounts.record, payout->accounts.rentPayer);
  return 0;
}

// Pays the payee of the configuration: SOL at its account, tokens at any token account of it.
static u64 payPayee(const Payout *payout, Account *payee, Account *payeeToken, u64 amount) {
  const Pubkey *due = payeeOf(payout->config, payout->clock.unixSeconds);
  REQUIRE(isSame(payee->key, due), WrongAccount);
  if (amount == 0) return 0;
  if (!payout->accounts.mint) return pay(payout, payee, amount);
  TRY(checkTokenAccount(payeeToken, &payout->ledger->mint, due));
  return pay(payout, payeeToken, amount);
}

// Pays the depositor: SOL at the account itself, tokens at its associated token account. Anyone can make another token
// account for the depositor, and keep the right to close it: of wrapped SOL that takes the balance.
static u64 payDepositor(const Payout *payout, Account *to, u64 amount) {
  if (!payout->accounts.mint) {
    REQUIRE(isSame(to->key, payout->depositor), WrongAccount);
    return pay(payout, to, amount);
  }
  Pubkey expected;
  TRY(findTokenAccount(payout->depositor, &payout->ledger->mint, &expected));
  REQUIRE(isSame(to->key, &expected), WrongAccount);
  // The owner of an associated token account can give it away.
  TRY(checkTokenAccount(to, &payout->ledger->mint, payout->depositor));
  return pay(payout, to, amount);
}

// The allocator states what the record owes, and since which slot: a signature counts for one deposit, and once.
static u64 readSigned(const Call *call, _Bool isToken, Payout *payout) {
  Account *a = (Account *)call->accounts;
  payout->accounts = (PayoutAccounts){ &a[2], &a[3], &a[5], &a[6], isToken ? &a[8] : 0, isToken ? &a[9] : 0 };
  REQUIRE(a[0].isSigner, MissingSignature);
  TRY(readPayout(call, &a[1], payout));
  REQUIRE(isSame(a[0].key, &payout->config->allocator), NotTheAllocator);
  REQUIRE(*amountAt(call, 104) == payout->record->owed && *amountAt(call, 112) == payout->record->slot, NotOwed);
  return 0;
}

// Arguments: id, depositor, sender, nonce, owed, slot.
static u64 settle(Call *call) {
  Account *a = call->accounts;
  _Bool isToken = call->count == 12;
  REQUIRE(isToken || call->count == 8, WrongAccountCount);
  REQUIRE(call->argumentBytes == 120, WrongArguments);
  Payout payout;
  TRY(readSigned(call, isToken, &payout));
  u64 amount = payout.record->owed;
  TRY(useLimit(payout.ledger, amount, 1, payout.clock.unixSeconds));
  TRY(payPayee(&payout, &a[4], &a[10], amount));
  return reduceOwed(&payout, amount);
}

// Arguments: id, depositor, sender, nonce, owed, slot, amount, cost. What goes back to depositors is not limited.
static u64 refund(Call *call) {
  Account *a = call->accounts;
  _Bool isToken = call->count == 13;
  REQUIRE(isToken || call->count == 9, WrongAccountCount);
  REQUIRE(call->argumentBytes == 136, WrongArguments);
  Payout payout;
  TRY(readSigned(call, isToken, &payout));
  u64 amount = *amountAt(call, 120), cost = *amountAt(call, 128), owed = payout.record->owed;
  REQUIRE(amount > 0, ZeroAmount);
  REQUIRE(amount <= owed && cost <= owed - amount, NotOwed);
  if (cost > 0) TRY(useLimit(payout.ledger, cost, 0, payout.clock.unixSeconds));
  TRY(payDepositor(&payout, &a[isToken ? 12 : 8], amount));
  TRY(payPayee(&payout, &a[4], &a[10], cost));
  return reduceOwed(&payout, amount + cost);
}

// Arguments: id, depositor, sender, nonce. Anyone may send it.
static u64 exitDeposit(Call *call) {
  Account *a = call->accounts;
  _Bool isToken = call->count == 10;
  REQUIRE(isToken || call->count == 7, WrongAccountCount);
  REQUIRE(call->argumentBytes == 104, WrongArguments);
  Payout payout;
  payout.accounts = (PayoutAccounts){ &a[1], &a[2], &a[3], &a[4], isToken ? &a[6] : 0, isToken ? &a[7] : 0 };
  TRY(readPayout(call, &a[0], &payout));
  REQUIRE(payout.clock.unixSeconds >= payout.record->exitTime, TooEarly);
  u64 amount = payout.record->owed;
  TRY(payDepositor(&payout, &a[isToken ? 9 : 6], amount));
  return reduceOwed(&payout, amount);
}
