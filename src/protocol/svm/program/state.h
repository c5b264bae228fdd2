// Reads and checks what is handed over.
#pragma once
#include "calls.h"

enum { MAX_ACCOUNTS = 13 };

typedef struct {
  Account accounts[MAX_ACCOUNTS];
  u64 count;
  u8 *arguments;
  u64 argumentBytes;
  const Pubkey *program;
} Call;

static inline u64 *amountAt(const Call *call, u64 place) { return (u64 *)(call->arguments + place); }
static inline Pubkey *pubkeyAt(const Call *call, u64 place) { return (Pubkey *)(call->arguments + place); }

// The state of an account of this program; 0 for every other account.
static void *stateOf(const Call *call, const Account *account, u64 size, u64 kindAt, u32 kind) {
  _Bool isIt = isSame(account->owner, call->program) && account->dataLength == size;
  return isIt && *(u32 *)(account->data + kindAt) == kind ? account->data : 0;
}
#define STATE(call, account, Type, KIND) \
  ((Type *)stateOf(call, account, sizeof(Type), __builtin_offsetof(Type, kind), KIND))

static u64 readLedger(const Call *call, const Account *account, const Pubkey *mint, Ledger **ledger) {
  *ledger = STATE(call, account, Ledger, LEDGER);
  REQUIRE(*ledger, WrongState);
  REQUIRE(isSame(&(*ledger)->mint, mint), WrongAccount);
  return 0;
}

static u64 checkMint(const Account *mint) {
  REQUIRE(isSame(mint->owner, &TOKEN) && mint->dataLength == MINT_SIZE, InvalidMint);
  REQUIRE(mint->data[MINT_INITIALIZED] == 1, InvalidMint);
  return 0;
}

static inline TokenAccount *tokenOf(const Account *account) { return (TokenAccount *)account->data; }

static u64 checkTokenAccount(const Account *account, const Pubkey *mint, const Pubkey *owner) {
  REQUIRE(isSame(account->owner, &TOKEN) && account->dataLength == TOKEN_ACCOUNT_SIZE, InvalidTokenAccount);
  // Not of another state: uninitialized or frozen.
  REQUIRE(tokenOf(account)->state == 1, InvalidTokenAccount);
  REQUIRE(isSame(&tokenOf(account)->mint, mint) && isSame(&tokenOf(account)->owner, owner), InvalidTokenAccount);
  return 0;
}

static u64 findTokenAccount(const Pubkey *owner, const Pubkey *mint, Pubkey *found) {
  Seed seeds[3] = { { owner, 32 }, { &TOKEN, 32 }, { mint, 32 } };
  u8 bump;
  return sol_try_find_program_address(seeds, 3, &ASSOCIATED_TOKEN, found, &bump);
}

// The vault's token account. The vault signs nothing but payouts: there is no delegate, and nobody can close it.
static u64 checkVaultToken(const Account *account, const Ledger *ledger, const Pubkey *vault) {
  REQUIRE(isSame(account->key, &ledger->vaultToken), WrongAccount);
  return checkTokenAccount(account, &ledger->mint, vault);
}

// What is used of a limit now. It recovers linearly within an hour; the part that recovered is rounded down.
static u64 usedNow(const Ledger *ledger, i64 now) {
  u64 seconds = now > ledger->updatedAt ? (u64)(now - ledger->updatedAt) : 0, used = ledger->used;
  u64 whole = ledger->hourly / 3600, part = ledger->hourly % 3600;
  // No product overflows: the first one is at most `used`.
  if (whole > 0 && seconds > used / whole) return 0;
  used -= whole * seconds;
  u64 rest = part * (seconds < 1UL << 32 ? seconds : 1UL << 32) / 3600;
  return used > rest ? used - rest : 0;
}

static void setUsed(Ledger *ledger, u64 used, i64 now) {
  ledger->used = used;
  if (now > ledger->updatedAt) ledger->updatedAt = now;
}

// `isAlone`: one payout above the whole limit may leave while nothing of it is used, and then uses hours of it: a
// deposit above the limit could not be settled otherwise. On average no more than the limit leaves in an hour.
static u64 useLimit(Ledger *ledger, u64 amount, _Bool isAlone, i64 now) {
  u64 used = usedNow(ledger, now);
  _Bool fits = used <= ledger->hourly && amount <= ledger->hourly - used;
  REQUIRE(fits || (isAlone && ledger->hourly > 0 && used == 0), LimitExceeded);
  setUsed(ledger, used + amount, now);
  return 0;
}

// Holds after every payout whatever came before it: the vault has what is owed. SOL also has its rent minimum.
static u64 checkSolvent(const Ledger *ledger, const Account *vault, const Account *vaultToken) {
  if (vaultToken) {
    REQUIRE(tokenOf(vaultToken)->amount >= ledger->reserved, Insolvent);
    return 0;
  }
  u64 minimum;
  TRY(rentMinimum(0, &minimum));
  REQUIRE(*vault->lamports >= minimum && *vault->lamports - minimum >= ledger->reserved, Insolvent);
  return 0;
}
