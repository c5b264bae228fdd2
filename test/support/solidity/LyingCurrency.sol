// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Takes the place of a devnet currency, whose balances and allowances it keeps. Anybody can make it lie about transfers
/// to one account.
contract LyingCurrency {
    /// Truth; moves 99 %; moves 101 %; moves nothing; logs another transfer of seven times the amount; returns false;
    /// moves and logs 99 %.
    enum Lie { None, Tax, Bonus, Nothing, ExtraLog, Refusal, LoggedTax }

    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    uint256[40] private unused;
    mapping(address => Lie) private lies;

    event Transfer(address indexed from, address indexed to, uint256 value);

    function lieAbout(address account, Lie lie) external {
        lies[account] = lie;
    }

    function decimals() external pure returns (uint8) {
        return 6;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        if (allowance[from][msg.sender] != type(uint256).max) allowance[from][msg.sender] -= value;
        return move(from, to, value);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        return move(msg.sender, to, value);
    }

    function move(address from, address to, uint256 value) private returns (bool) {
        Lie lie = lies[to];
        if (lie == Lie.Refusal) return false;
        uint256 moved = value;
        if (lie == Lie.Tax || lie == Lie.LoggedTax) moved = value * 99 / 100;
        if (lie == Lie.Bonus) moved = value * 101 / 100;
        if (lie == Lie.Nothing) moved = 0;
        balanceOf[from] -= value;
        balanceOf[to] += moved;
        emit Transfer(from, to, lie == Lie.LoggedTax ? moved : value);
        if (lie == Lie.ExtraLog) emit Transfer(from, to, value * 7);
        return true;
    }
}
