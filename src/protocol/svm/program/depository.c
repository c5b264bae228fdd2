// A depository of SOL and tokens: each deposit has a record of what it is owed, the allocator pays it out, and after
// the exit time its depositor can be paid without the allocator. Orders are marked as filled, once.
//
// Limits of C here: at most 5 parameters, 4 kB of stack for each function, no library, no writable globals.
#include "deposits.h"
#include "payouts.h"

// Where accounts and arguments stand in memory. Source: the runtime's serialization of parameters, ABI v1.
static u64 readCall(u8 *at, Call *call) {
  enum { NOT_REPEATED = 0xff, HEADER = 88, GROWTH = 10240 };
  call->count = *(u64 *)at;
  at += 8;
  REQUIRE(call->count <= MAX_ACCOUNTS, WrongAccountCount);
  for (u64 i = 0; i < call->count; i++) {
    Account *account = &call->accounts[i];
    if (*at != NOT_REPEATED) {
      *account = call->accounts[*at];
      at += 8;
      continue;
    }
    *account = (Account){ (Pubkey *)(at + 8), (u64 *)(at + 72), *(u64 *)(at + 80), at + HEADER, (Pubkey *)(at + 40), 0,
      at[1], at[2], at[3] };
    at += HEADER + account->dataLength + GROWTH;
    at = (u8 *)(((u64)at + 7) & ~7UL);
    account->rentEpoch = *(u64 *)at;
    at += 8;
  }
  call->argumentBytes = *(u64 *)at;
  call->arguments = at + 8;
  call->program = (Pubkey *)(call->arguments + call->argumentBytes);
  return 0;
}

u64 entrypoint(u8 *input) {
  Call call;
  TRY(readCall(input, &call));
  REQUIRE(call.argumentBytes >= 8, UnknownInstruction);
  u64 method = *(u64 *)call.arguments;
  call.arguments += 8;
  call.argumentBytes -= 8;
  switch (method) {
    case INITIALIZE: return initialize(&call);
    case CONFIGURE: return configure(&call);
    case SET_LIMIT: return setLimit(&call);
    case DEPOSIT_NATIVE: return depositNative(&call);
    case DEPOSIT_TOKEN: return depositToken(&call);
    case SWEEP_NATIVE: return sweepNative(&call);
    case SWEEP_TOKEN: return sweepToken(&call);
    case SETTLE: return settle(&call);
    case REFUND: return refund(&call);
    case EXIT: return exitDeposit(&call);
    case MARK_FILLED: return markFilled(&call);
    default: return UnknownInstruction;
  }
}
