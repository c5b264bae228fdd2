// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Poses as whatever may get control in the middle of a transaction (a recipient, a currency, a pool of
/// either kind, an NFT) and then makes the calls that it was prepared with. For tests.
contract Hostile {
    struct Attempt {
        address target;
        uint256 value;
        bytes data;
    }

    Attempt[] private attempts;
    /// Whether each attempt succeeded, of those that were made.
    bool[] private outcomes;
    bytes[] private answers;
    bool private busy;
    /// How often it lets control pass first.
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

    /// All attempts, once its patience is at an end; whoever calls gets no sign of them.
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

    /// As a constant-product pool that gives nothing.
    function getReserves() external pure returns (uint112, uint112, uint32) {
        return (1e18, 1e18, 0);
    }

    function swap(uint256, uint256, address, bytes calldata) external {
        attack();
    }

    /// As a concentrated pool that claims to have given a fortune.
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
