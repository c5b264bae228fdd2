// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// An attacker in the role of any contract that gets control during a transaction: a recipient, a currency, a pool of
/// either kind, an NFT. It then makes the calls that it was prepared with. For tests.
contract Hostile {
    struct Attempt {
        address target;
        uint256 value;
        bytes data;
    }

    Attempt[] private attempts;
    /// Whether each attempt made so far succeeded.
    bool[] private outcomes;
    bytes[] private answers;
    bool private busy;
    /// Number of times that it gets control without attacking.
    uint256 private patience;

    function prepare(Attempt[] calldata attempts_, uint256 patience_) external {
        patience = patience_;
        delete attempts;
        delete outcomes;
        delete answers;
        for (uint256 i; i < attempts_.length; i++) attempts.push(attempts_[i]);
    }

    function results() external view returns (bool[] memory, bytes[] memory) {
        return (outcomes, answers);
    }

    /// Makes all attempts once `patience` is used up. Never reverts because of them.
    function attack() public {
        if (busy) return;
        if (patience > 0) {
            patience--;
            return;
        }
        busy = true;
        for (uint256 i = outcomes.length; i < attempts.length; i++) {
            Attempt storage each = attempts[i];
            (bool success, bytes memory answer) = each.target.call{value: each.value}(each.data);
            outcomes.push(success);
            answers.push(answer);
        }
        busy = false;
    }

    receive() external payable {
        attack();
    }

    function balanceOf(address) external pure returns (uint256) {
        return 1e24;
    }

    function allowance(address, address) external pure returns (uint256) {
        return 0;
    }

    function approve(address, uint256) external pure returns (bool) {
        return true;
    }

    function transfer(address, uint256) external returns (bool) {
        attack();
        return true;
    }

    function transferFrom(address, address, uint256) external returns (bool) {
        attack();
        return true;
    }

    /// Acts as a constant-product pool that pays nothing out.
    function getReserves() external pure returns (uint112, uint112, uint32) {
        return (1e18, 1e18, 0);
    }

    function swap(uint256, uint256, address, bytes calldata) external {
        attack();
    }

    /// Acts as a concentrated pool that reports a huge output.
    function swap(address, bool, int256, uint160, bytes calldata) external returns (int256, int256) {
        attack();
        return (-1e30, -1e30);
    }

    function depositErc20(address, address, uint256, bytes32) external {
        attack();
    }

    function safeTransferFrom(address, address, uint256) external {
        attack();
    }
}
