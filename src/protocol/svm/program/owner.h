// What the upgrade authority and the owner do.
#pragma once
#include "state.h"

enum { PAYEE_DELAY = 2 * 24 * 60 * 60, MAX_EXIT_SECONDS = 366 * 24 * 60 * 60 };

static u64 checkRoles(const Pubkey *roles, const Pubkey *vault) {
  for (u64 i = 0; i < 3; i++) REQUIRE(!isSame(&roles[i], &SYSTEM) && !isSame(&roles[i], vault), InvalidRole);
  return 0;
}

// The account that may replace the program also decides who owns it; nobody else can be first.
static u64 checkUpgradeAuthority(const Call *call, const Account *programData, const Account *authority) {
  Pubkey expected;
  u8 bump;
  Seed seeds[1] = { { call->program, 32 } };
  TRY(sol_try_find_program_address(seeds, 1, &LOADER, &expected, &bump));
  REQUIRE(isSame(programData->key, &expected) && isSame(programData->owner, &LOADER), WrongAccount);
  const u8 *data = programData->data;
  REQUIRE(programData->dataLength >= PROGRAM_DATA_HEADER && *(u32 *)data == PROGRAM_DATA, WrongState);
  REQUIRE(data[PROGRAM_DATA_HAS_AUTHORITY] == 1, NotTheUpgradeAuthority);
  const u8 *key = (const u8 *)authority->key;
  for (u64 i = 0; i < 32; i++) REQUIRE(data[PROGRAM_DATA_AUTHORITY + i] == key[i], NotTheUpgradeAuthority);
  return 0;
}

// Arguments: owner, allocator, payee, exitSeconds.
static u64 initialize(Call *call) {
  REQUIRE(call->count == 5, WrongAccountCount);
  REQUIRE(call->argumentBytes == 104, WrongArguments);
  Account *config = &call->accounts[0], *authority = &call->accounts[1], *vault = &call->accounts[2];
  REQUIRE(authority->isSigner, MissingSignature);
  TRY(checkUpgradeAuthority(call, &call->accounts[3], authority));
  u8 configBump, vaultBump;
  Seed seeds[2] = { { "relay_depository", 16 } }, vaultSeeds[2] = { { "vault", 5 } };
  TRY(checkAddress(call->program, config, seeds, 2, &configBump));
  TRY(checkAddress(call->program, vault, vaultSeeds, 2, &vaultBump));
  REQUIRE(isVacant(config), AlreadyInitialized);
  const Pubkey *roles = pubkeyAt(call, 0);
  TRY(checkRoles(roles, vault->key));
  i64 exitSeconds = *(i64 *)amountAt(call, 96);
  REQUIRE(exitSeconds > 0 && exitSeconds <= MAX_EXIT_SECONDS, InvalidExitTime);
  SignerSeeds signer = { seeds, 2 };
  TRY(createAccount(call->program, authority, config, sizeof(Config), &signer));
  u64 minimum;
  TRY(rentMinimum(0, &minimum));
  TRY(topUp(authority, vault, minimum));
  Config *state = (Config *)config->data;
  state->owner = roles[0];
  state->allocator = roles[1];
  state->payee = roles[2];
  state->exitSeconds = exitSeconds;
  state->vault = *vault->key;
  state->vaultBump = vaultBump;
  state->kind = CONFIG;
  return 0;
}

static inline _Bool isPayeeDue(const Config *config, i64 now) { return config->payeeAt != 0 && now >= config->payeeAt; }

static inline const Pubkey *payeeOf(const Config *config, i64 now) {
  return isPayeeDue(config, now) ? &config->pendingPayee : &config->payee;
}

// A payee that is pending already is not delayed again.
static void namePayee(Config *config, const Pubkey *payee, i64 now) {
  config->payee = *payeeOf(config, now);
  _Bool isPending = config->payeeAt != 0 && !isPayeeDue(config, now) && isSame(&config->pendingPayee, payee);
  if (isPending) return;
  _Bool isChanged = !isSame(&config->payee, payee);
  config->pendingPayee = isChanged ? *payee : SYSTEM;
  config->payeeAt = isChanged ? now + PAYEE_DELAY : 0;
}

// Arguments: owner, allocator, payee.
static u64 configure(Call *call) {
  REQUIRE(call->count == 2, WrongAccountCount);
  REQUIRE(call->argumentBytes == 96, WrongArguments);
  Config *config = STATE(call, &call->accounts[0], Config, CONFIG);
  REQUIRE(config, WrongState);
  REQUIRE(call->accounts[1].isSigner, MissingSignature);
  REQUIRE(isSame(call->accounts[1].key, &config->owner), NotTheOwner);
  const Pubkey *roles = pubkeyAt(call, 0);
  TRY(checkRoles(roles, &config->vault));
  Clock clock;
  TRY(sol_get_clock_sysvar(&clock));
  config->owner = roles[0];
  config->allocator = roles[1];
  namePayee(config, &roles[2], clock.unixSeconds);
  return 0;
}

static u64 createLedger(const Call *call, Account *payer, Account *account, Account *mint, const Pubkey *vault) {
  u8 bump;
  Seed seeds[3] = { { "currency", 8 }, { mint->key, 32 } };
  TRY(checkAddress(call->program, account, seeds, 3, &bump));
  Pubkey vaultToken = SYSTEM;
  if (!isSame(mint->key, &SYSTEM)) {
    TRY(checkMint(mint));
    TRY(findTokenAccount(vault, mint->key, &vaultToken));
  }
  SignerSeeds signer = { seeds, 3 };
  TRY(createAccount(call->program, payer, account, sizeof(Ledger), &signer));
  Ledger *ledger = (Ledger *)account->data;
  ledger->mint = *mint->key;
  ledger->vaultToken = vaultToken;
  ledger->kind = LEDGER;
  return 0;
}

// Arguments: mint, hourly. A currency without ledger cannot be deposited.
static u64 setLimit(Call *call) {
  REQUIRE(call->count == 5, WrongAccountCount);
  REQUIRE(call->argumentBytes == 40, WrongArguments);
  Account *owner = &call->accounts[1], *account = &call->accounts[2], *mint = &call->accounts[3];
  Config *config = STATE(call, &call->accounts[0], Config, CONFIG);
  REQUIRE(config, WrongState);
  REQUIRE(owner->isSigner, MissingSignature);
  REQUIRE(isSame(owner->key, &config->owner), NotTheOwner);
  REQUIRE(isSame(mint->key, pubkeyAt(call, 0)), WrongAccount);
  if (isVacant(account)) {
    TRY(createLedger(call, owner, account, mint, &config->vault));
    account->dataLength = sizeof(Ledger);
  }
  Ledger *ledger;
  TRY(readLedger(call, account, mint->key, &ledger));
  Clock clock;
  TRY(sol_get_clock_sysvar(&clock));
  // What has recovered until now, has recovered at the old rate.
  setUsed(ledger, usedNow(ledger, clock.unixSeconds), clock.unixSeconds);
  ledger->hourly = *amountAt(call, 32);
  return 0;
}
