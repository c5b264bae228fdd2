// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

struct Holding {
    address holder;
    uint256 amount;
}

/// Balances and allowances: the common part of all devnet currencies.
abstract contract Ledger {
    uint8 public immutable decimals;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    /// Mints the whole supply to `holdings`.
    constructor(uint8 decimals_, Holding[] memory holdings) {
        decimals = decimals_;
        for (uint256 i = 0; i < holdings.length; i++) {
            totalSupply += holdings[i].amount;
            balanceOf[holdings[i].holder] += holdings[i].amount;
            emit Transfer(address(0), holdings[i].holder, holdings[i].amount);
        }
    }

    function setAllowance(address owner, address spender, uint256 value) internal {
        allowance[owner][spender] = value;
        emit Approval(owner, spender, value);
    }

    function move(address from, address to, uint256 value) internal virtual {
        require(to != address(0), "Ledger: to the zero address");
        require(balanceOf[from] >= value, "Ledger: balance too low");
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }

    /// Spends an allowance. The maximum allowance is unlimited.
    function moveFor(address spender, address from, address to, uint256 value) internal {
        uint256 allowed = allowance[from][spender];
        require(allowed >= value, "Ledger: allowance too low");
        if (allowed != type(uint256).max) allowance[from][spender] = allowed - value;
        move(from, to, value);
    }
}
