// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";
import {Holding} from "./Ledger.sol";

/// Allowances by signature (EIP-2612), but no transfers by signature. OpenZeppelin's code, like most currencies.
contract AllowanceCurrency is ERC20Permit {
    uint8 private immutable places;

    constructor(string memory name_, string memory symbol_, uint8 decimals_, Holding[] memory holdings)
        ERC20(name_, symbol_)
        ERC20Permit(name_)
    {
        places = decimals_;
        for (uint256 i = 0; i < holdings.length; i++) _mint(holdings[i].holder, holdings[i].amount);
    }

    function decimals() public view override returns (uint8) {
        return places;
    }
}
