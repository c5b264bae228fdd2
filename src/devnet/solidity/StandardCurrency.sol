// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Holding, Ledger} from "./Ledger.sol";

/// An ERC-20 that follows the standard exactly.
contract StandardCurrency is Ledger {
    string public name;
    string public symbol;

    constructor(string memory name_, string memory symbol_, uint8 decimals_, Holding[] memory holdings)
        Ledger(decimals_, holdings)
    {
        name = name_;
        symbol = symbol_;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        setAllowance(msg.sender, spender, value);
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        moveFor(msg.sender, from, to, value);
        return true;
    }
}
