// What anyone does: deposits, sweeps of deposit addresses, and marks of fills.
#pragma once
#include "state.h"

// What is the same of every deposit.
typedef struct {
  Account *config, *record, *ledger;
  // Pays the rent of the record.
  Account *payer;
  const u8 *id;
  const Pubkey *depositor, *mint, *sender;
  const u64 *nonce;
} Deposit;

// Writes what is owed. The money arrives before.
static u64 openRecord(const Call *call, const Deposit *deposit, u64 amount, i64 exitSeconds) {
  REQUIRE(amount > 0, ZeroAmount);
  Ledger *ledger = (Ledger *)deposit->ledger->data;
  REQUIRE(ledger->reserved + amount >= amount, Overflow);
  u8 bump;
  Seed seeds[7] = { { "deposit", 7 }, { deposit->id, 32 }, { deposit->depositor, 32 }, { deposit->mint, 32 },
    { deposit->sender, 32 }, { deposit->nonce, 8 } };
  TRY(checkAddress(call->program, deposit->record, seeds, 7, &bump));
  REQUIRE(isVacant(deposit->record), DepositExists);
  SignerSeeds signer = { seeds, 7 };
  TRY(createAccount(call->program, deposit->payer, deposit->record, sizeof(Record), &signer));
  Clock clock;
  TRY(sol_get_clock_sysvar(&clock));
  Record *record = (Record *)deposit->record->data;
  record->owed = amount;
  record->slot = clock.slot;
  record->exitTime = clock.unixSeconds + exitSeconds;
  record->rentPayer = *deposit->payer->key;
  record->bump = bump;
  record->kind = RECORD;
  ledger->reserved += amount;
  return 0;
}

// The configuration, and the ledger of the deposit's currency.
static u64 readStates(const Call *call, const Deposit *deposit, Config **config, Ledger **ledger) {
  *config = STATE(call, deposit->config, Config, CONFIG);
  REQUIRE(*config, WrongState);
  return readLedger(call, deposit->ledger, deposit->mint, ledger);
}

// Arguments: amount, id, nonce.
static u64 depositNative(Call *call) {
  Account *a = call->accounts, *sender = &a[1], *vault = &a[3];
  REQUIRE(call->count == 8, WrongAccountCount);
  REQUIRE(call->argumentBytes == 48, WrongArguments);
  REQUIRE(sender->isSigner && a[7].isSigner, MissingSignature);
  Deposit deposit = { &a[0], &a[5], &a[6], &a[7],
    call->arguments + 8, a[2].key, &SYSTEM, sender->key, amountAt(call, 40) };
  Config *config;
  Ledger *ledger;
  TRY(readStates(call, &deposit, &config, &ledger));
  // A refund to the vault would stay in it, owed to nobody.
  REQUIRE(isSame(vault->key, &config->vault) && !isSame(a[2].key, vault->key), WrongAccount);
  u64 amount = *amountAt(call, 0);
  TRY(payLamports(sender, vault, amount, 0));
  return openRecord(call, &deposit, amount, config->exitSeconds);
}

// Moves tokens into the vault, and holds the amount against its balance.
static u64 receiveTokens(const TokenTransfer *transfer, u64 amount, const SignerSeeds *signer) {
  REQUIRE(!isSame(transfer->from->key, transfer->to->key), InvalidTokenAccount);
  u64 before = tokenOf(transfer->to)->amount;
  TRY(payTokens(transfer, amount, signer));
  REQUIRE(tokenOf(transfer->to)->amount - before == amount, Insolvent);
  return 0;
}

// Arguments: amount, id, nonce.
static u64 depositToken(Call *call) {
  Account *a = call->accounts, *sender = &a[1], *mint = &a[4];
  REQUIRE(call->count == 13, WrongAccountCount);
  REQUIRE(call->argumentBytes == 48, WrongArguments);
  REQUIRE(sender->isSigner && a[12].isSigner, MissingSignature);
  Deposit deposit = { &a[0], &a[10], &a[11], &a[12],
    call->arguments + 8, a[2].key, mint->key, sender->key, amountAt(call, 40) };
  Config *config;
  Ledger *ledger;
  TRY(readStates(call, &deposit, &config, &ledger));
  REQUIRE(isSame(a[3].key, &config->vault) && !isSame(a[2].key, &config->vault), WrongAccount);
  TRY(checkMint(mint));
  TRY(checkVaultToken(&a[6], ledger, &config->vault));
  u64 amount = *amountAt(call, 0);
  TokenTransfer transfer = { &a[5], mint, &a[6], sender };
  TRY(receiveTokens(&transfer, amount, 0));
  return openRecord(call, &deposit, amount, config->exitSeconds);
}

// Arguments: id, depositor, nonce. A deposit address has no key: this program moves what it holds, only into the vault.
static u64 sweepNative(Call *call) {
  Account *a = call->accounts, *address = &a[2], *vault = &a[3];
  REQUIRE(call->count == 7, WrongAccountCount);
  REQUIRE(call->argumentBytes == 72, WrongArguments);
  REQUIRE(a[0].isSigner, MissingSignature);
  const Pubkey *depositor = pubkeyAt(call, 32);
  Deposit deposit = { &a[1], &a[5], &a[6], &a[0],
    call->arguments, depositor, &SYSTEM, address->key, amountAt(call, 64) };
  Config *config;
  Ledger *ledger;
  TRY(readStates(call, &deposit, &config, &ledger));
  REQUIRE(isSame(vault->key, &config->vault) && !isSame(depositor, vault->key), WrongAccount);
  u8 bump;
  Seed seeds[4] = { { "address", 7 }, { call->arguments, 32 }, { depositor, 32 } };
  TRY(checkAddress(call->program, address, seeds, 4, &bump));
  SignerSeeds signer = { seeds, 4 };
  u64 amount = *address->lamports;
  REQUIRE(amount > 0, ZeroAmount);
  TRY(payLamports(address, vault, amount, &signer));
  return openRecord(call, &deposit, amount, config->exitSeconds);
}

// Arguments: id, depositor, nonce. Any token account of the address can be swept: nothing that was paid to it is lost.
static u64 sweepToken(Call *call) {
  Account *a = call->accounts, *address = &a[2], *mint = &a[6];
  REQUIRE(call->count == 12, WrongAccountCount);
  REQUIRE(call->argumentBytes == 72, WrongArguments);
  REQUIRE(a[0].isSigner, MissingSignature);
  const Pubkey *depositor = pubkeyAt(call, 32);
  Deposit deposit = { &a[1], &a[10], &a[11], &a[0],
    call->arguments, depositor, mint->key, address->key, amountAt(call, 64) };
  Config *config;
  Ledger *ledger;
  TRY(readStates(call, &deposit, &config, &ledger));
  REQUIRE(isSame(a[4].key, &config->vault) && !isSame(depositor, &config->vault), WrongAccount);
  REQUIRE(isSame(a[7].key, depositor), WrongAccount);
  TRY(checkMint(mint));
  TRY(checkVaultToken(&a[5], ledger, &config->vault));
  TRY(checkTokenAccount(&a[3], mint->key, address->key));
  u8 bump;
  Seed seeds[4] = { { "address", 7 }, { call->arguments, 32 }, { depositor, 32 } };
  TRY(checkAddress(call->program, address, seeds, 4, &bump));
  SignerSeeds signer = { seeds, 4 };
  u64 amount = tokenOf(&a[3])->amount;
  REQUIRE(amount > 0, ZeroAmount);
  TokenTransfer transfer = { &a[3], mint, &a[5], address };
  TRY(receiveTokens(&transfer, amount, &signer));
  TRY(closeTokenAccount(&a[3], &a[7], address, &signer));
  return openRecord(call, &deposit, amount, config->exitSeconds);
}

// Arguments: id, deadline. Stands in the transaction of a fill, and fails it if the order is filled already.
static u64 markFilled(Call *call) {
  Account *solver = &call->accounts[0], *marker = &call->accounts[1];
  REQUIRE(call->count == 3, WrongAccountCount);
  REQUIRE(call->argumentBytes == 40, WrongArguments);
  REQUIRE(solver->isSigner, MissingSignature);
  Clock clock;
  TRY(sol_get_clock_sysvar(&clock));
  REQUIRE(clock.unixSeconds <= *(i64 *)amountAt(call, 32), DeadlinePassed);
  u8 bump;
  Seed seeds[4] = { { "fill", 4 }, { solver->key, 32 }, { call->arguments, 32 } };
  TRY(checkAddress(call->program, marker, seeds, 4, &bump));
  REQUIRE(isVacant(marker), AlreadyFilled);
  SignerSeeds signer = { seeds, 4 };
  return createAccount(call->program, solver, marker, 0, &signer);
}
