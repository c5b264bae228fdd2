// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Holding, Ledger} from "./Ledger.sol";

/// Like MKR and other currencies older than the final ERC-20 standard: name and symbol are bytes32, not strings.
contract Bytes32Currency is Ledger {
    bytes32 public immutable name;
    bytes32 public immutable symbol;

    constructor(bytes32 name_, bytes32 symbol_, uint8 decimals_, Holding[] memory holdings)
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
