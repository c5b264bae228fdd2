// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Hostile} from "./Hostile.sol";
import {Holding} from "./Ledger.sol";
import {StandardCurrency} from "./StandardCurrency.sol";

/// Calls a hook in every transfer, as ERC-777 does. For tests of reentrancy.
contract HookedCurrency is StandardCurrency {
    Hostile public hook;

    constructor(Holding[] memory holdings) StandardCurrency("Hooked", "HOOK", 18, holdings) {}

    function setHook(Hostile hook_) external {
        hook = hook_;
    }

    function move(address from, address to, uint256 value) internal override {
        super.move(from, to, value);
        if (address(hook) != address(0)) hook.attack();
    }
}
