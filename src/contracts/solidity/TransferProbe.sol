// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface Erc20 {
    function balanceOf(address account) external view returns (uint256);
    function transfer(address to, uint256 amount) external;
}

/// Finds out by trial what a currency does to a transfer into and out of a pool. Never deployed: an
/// eth_call lends its runtime code to the pool and to a stand-in for a trader by state overrides, so
/// that the currency sees the very addresses that a swap would show it.
contract TransferProbe {
    /// Above what sane currencies take; a currency that burns all it is given must leave us the rest.
    uint256 private constant balanceGas = 500_000;
    uint256 private constant transferGas = 1_000_000;

    struct Leg {
        /// False when the currency reverted, returned false or could not tell a balance.
        bool succeeded;
        /// What `transfer` was asked to move.
        uint256 sent;
        /// By how much the sender's balance fell: above `sent` where a fee is taken on top.
        uint256 spent;
        /// By how much the recipient's balance rose: below `sent` where a fee is taken out.
        uint256 received;
    }

    /// Sends `amount` from the pool (this address) to `standIn`, and all that arrives there back.
    /// `back` stays zero when nothing arrived. Never reverts on the currency's account.
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

    /// Reads one word of the answer: a currency that returns megabytes cannot eat up the gas.
    function balanceOf(address currency, address account) private view returns (bool known, uint256 held) {
        bytes memory data = abi.encodeCall(Erc20.balanceOf, (account));
        assembly ("memory-safe") {
            known := staticcall(balanceGas, currency, add(data, 32), mload(data), 0, 32)
            known := and(known, gt(returndatasize(), 31))
            if known { held := mload(0) }
        }
    }

    /// Takes no answer for a yes, as with USDT; an answer must be true.
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
