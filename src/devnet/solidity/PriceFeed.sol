// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// A USD price with Chainlink's AggregatorV3Interface. It is always fresh, unless `set` freezes its time.
contract PriceFeed {
    uint8 public constant decimals = 8;
    uint256 public constant version = 1;
    string public description;
    int256 private answer;
    uint256 private frozenAt;
    uint80 private round = 1;

    constructor(string memory description_, int256 answer_) {
        description = description_;
        answer = answer_;
    }

    /// Sets the price. Anyone may call it. `frozenAt_` becomes the time of the last update; 0 stands for the time of
    /// the current block.
    function set(int256 answer_, uint256 frozenAt_) external {
        answer = answer_;
        frozenAt = frozenAt_;
        round++;
    }

    function latestRoundData()
        external
        view
        returns (uint80 roundId, int256 price, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)
    {
        uint256 time = frozenAt == 0 ? block.timestamp : frozenAt;
        return (round, answer, time, time, round);
    }
}
