// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Holding} from "./Ledger.sol";
import {StandardCurrency} from "./StandardCurrency.sol";

/// Deducts a fee, rounded down, from every transfer: the recipient receives less than the sender pays.
contract TaxedCurrency is StandardCurrency {
    uint256 public immutable taxBps;
    address public immutable collector;

    constructor(
        string memory name_,
        string memory symbol_,
        uint8 decimals_,
        Holding[] memory holdings,
        uint256 taxBps_,
        address collector_
    ) StandardCurrency(name_, symbol_, decimals_, holdings) {
        taxBps = taxBps_;
        collector = collector_;
    }

    function move(address from, address to, uint256 value) internal override {
        uint256 tax = value * taxBps / 10_000;
        super.move(from, collector, tax);
        super.move(from, to, value - tax);
    }
}
