// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface Erc20 {
    function balanceOf(address account) external view returns (uint256);
    function transfer(address to, uint256 amount) external;
}

/// Simulates a transfer of a currency out of a pool and back. Not deployed: state overrides of an eth_call place its
/// runtime code at the pool's address and at a stand-in for a trader, so that the currency sees the same addresses
/// as in a swap.
contract TransferProbe {
    /// Gas limit: more than honest currencies use. A currency that burns all of it leaves enough for the rest.
    uint256 private constant balanceGas = 500_000;
    uint256 private constant transferGas = 1_000_000;

    struct Leg {
        /// False if the transfer reverted or returned false, or if a balance could not be read.
        bool succeeded;
        /// The amount passed to `transfer`.
        uint256 sent;
        /// Decrease of the sender's balance: above `sent` if the currency charges a fee on top.
        uint256 spent;
        /// Increase of the recipient's balance: below `sent` if the currency deducts a fee.
        uint256 received;
    }

    /// Transfers `amount` from the pool (this address) to `standIn`, and back everything that arrives there. `back` is
    /// zero if nothing arrived. The currency cannot make this call revert.
    function probe(address currency, uint256 amount, address standIn)
        external
        returns (Leg memory out, Leg memory back)
    {
        out = send(currency, amount, standIn);
        if (out.received > 0) back = TransferProbe(standIn).send(currency, out.received, address(this));
    }

    function send(address currency, uint256 amount, address recipient) public returns (Leg memory leg) {
        leg.sent = amount;
        (bool knownBefore, uint256 ownBefore, uint256 theirsBefore) = balances(currency, recipient);
        bool transferred = knownBefore && transfer(currency, recipient, amount);
        if (!transferred) return leg;
        (bool knownAfter, uint256 ownAfter, uint256 theirsAfter) = balances(currency, recipient);
        if (!knownAfter) return leg;
        leg.succeeded = true;
        if (ownBefore > ownAfter) leg.spent = ownBefore - ownAfter;
        if (theirsAfter > theirsBefore) leg.received = theirsAfter - theirsBefore;
    }

    function balances(address currency, address other)
        private
        view
        returns (bool known, uint256 own, uint256 theirs)
    {
        bool knownOwn;
        bool knownTheirs;
        (knownOwn, own) = balanceOf(currency, address(this));
        (knownTheirs, theirs) = balanceOf(currency, other);
        known = knownOwn && knownTheirs;
    }

    /// Copies only one word of return data: a currency could otherwise burn the gas by returning megabytes.
    function balanceOf(address currency, address account) private view returns (bool known, uint256 held) {
        bytes memory data = abi.encodeCall(Erc20.balanceOf, (account));
        assembly ("memory-safe") {
            known := staticcall(balanceGas, currency, add(data, 32), mload(data), 0, 32)
            known := and(known, gt(returndatasize(), 31))
            if known { held := mload(0) }
        }
    }

    /// An empty return value counts as success, as with USDT. A nonempty one must be true.
    function transfer(address currency, address to, uint256 amount) private returns (bool done) {
        bytes memory data = abi.encodeCall(Erc20.transfer, (to, amount));
        assembly ("memory-safe") {
            done := call(transferGas, currency, 0, add(data, 32), mload(data), 0, 32)
            switch returndatasize()
            case 0 { done := and(done, gt(extcodesize(currency), 0)) }
            default { done := and(done, and(gt(returndatasize(), 31), eq(mload(0), 1))) }
        }
    }
}
