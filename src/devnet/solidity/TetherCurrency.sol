// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Holding, Ledger} from "./Ledger.sol";

/// Like USDT on Ethereum: returns nothing instead of true, and changes an allowance only from or to zero.
contract TetherCurrency is Ledger {
    string public name;
    string public symbol;

    constructor(string memory name_, string memory symbol_, uint8 decimals_, Holding[] memory holdings)
        Ledger(decimals_, holdings)
    {
        name = name_;
        symbol = symbol_;
    }

    function approve(address spender, uint256 value) external {
        require(value == 0 || allowance[msg.sender][spender] == 0, "Tether: reset the allowance first");
        setAllowance(msg.sender, spender, value);
    }

    function transfer(address to, uint256 value) external {
        move(msg.sender, to, value);
    }

    function transferFrom(address from, address to, uint256 value) external {
        moveFor(msg.sender, from, to, value);
    }
}
