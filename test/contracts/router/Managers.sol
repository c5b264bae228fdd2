// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {PoolKey, SwapTerms} from "#contracts/ManagedPools.sol";

interface Locker {
    function unlockCallback(bytes calldata data) external returns (bytes memory);
}

/// A manager of pools that swap one for one with a fee of 0.3 %. As Uniswap v4's, it reverts unless all is paid and taken.
contract OneForOneManager {
    /// Where the liquidity of its pools ends.
    uint256 public maxIn = type(uint256).max;
    PoolKey public lastKey;

    address private synced;
    uint256 private reserve;
    bool private unlocked;
    uint256 private open;
    mapping(address currency => int256) private deltas;

    receive() external payable {}

    function setMaxIn(uint256 maxIn_) external {
        maxIn = maxIn_;
    }

    function unlock(bytes calldata data) external returns (bytes memory answer) {
        require(!unlocked, "already unlocked");
        unlocked = true;
        answer = Locker(msg.sender).unlockCallback(data);
        require(open == 0, "not settled");
        unlocked = false;
    }

    function swap(PoolKey calldata key, SwapTerms calldata terms, bytes calldata) external returns (int256) {
        require(unlocked, "locked");
        lastKey = key;
        uint256 amountIn = terms.amountSpecified < 0
            ? uint256(-terms.amountSpecified)
            : (uint256(terms.amountSpecified) * 1000 + 996) / 997;
        uint256 amountOut =
            terms.amountSpecified < 0 ? amountIn * 997 / 1000 : uint256(terms.amountSpecified);
        if (amountIn > maxIn) (amountIn, amountOut) = (maxIn, maxIn * 997 / 1000);
        (int256 amount0, int256 amount1) = terms.zeroForOne
            ? (-int256(amountIn), int256(amountOut))
            : (int256(amountOut), -int256(amountIn));
        change(key.currency0, amount0);
        change(key.currency1, amount1);
        return amount0 << 128 | int256(uint256(uint128(uint256(amount1))));
    }

    function sync(address currency) external {
        synced = currency;
        if (currency != address(0)) reserve = IERC20(currency).balanceOf(address(this));
    }

    function settle() external payable returns (uint256 paid) {
        require(synced == address(0) || msg.value == 0, "native");
        paid = synced == address(0) ? msg.value : IERC20(synced).balanceOf(address(this)) - reserve;
        change(synced, int256(paid));
        synced = address(0);
    }

    function take(address currency, address to, uint256 amount) external {
        change(currency, -int256(amount));
        if (currency != address(0)) IERC20(currency).transfer(to, amount);
        else payable(to).transfer(amount);
    }

    function change(address currency, int256 by) private {
        int256 before = deltas[currency];
        deltas[currency] = before + by;
        if (before == 0 && by != 0) open++;
        else if (before != 0 && before + by == 0) open--;
    }
}

/// A false manager. In each swap it reports what it likes, and pays nothing.
contract GreedyManager {
    int256 private amount0;
    int256 private amount1;
    /// Calls of the router that it makes during a swap, before its callback and after it.
    bytes private before;
    bytes private afterwards;
    bytes private forged;
    bytes private last;
    bool private callsBack = true;
    bool[] public succeeded;

    function report(int256 amount0_, int256 amount1_) external {
        (amount0, amount1) = (amount0_, amount1_);
    }

    function callAround(bytes calldata before_, bytes calldata afterwards_) external {
        (before, afterwards) = (before_, afterwards_);
    }

    /// It calls back with this data.
    function forge(bytes calldata forged_) external {
        forged = forged_;
    }

    function skipCallback() external {
        callsBack = false;
    }

    receive() external payable {}

    function unlock(bytes calldata data) external returns (bytes memory) {
        last = data;
        attempt(before);
        if (forged.length != 0) attempt(abi.encodeCall(Locker.unlockCallback, (forged)));
        if (callsBack) {
            Locker(msg.sender).unlockCallback(data);
            attempt(abi.encodeCall(Locker.unlockCallback, (data)));
        }
        attempt(afterwards);
        return "";
    }

    /// Calls back once the swap is over.
    function later(Locker router) external returns (bool success) {
        (success,) = address(router).call(abi.encodeCall(Locker.unlockCallback, (last)));
        succeeded.push(success);
    }

    function attempt(bytes memory data) private {
        if (data.length == 0) return;
        (bool success,) = msg.sender.call(data);
        succeeded.push(success);
    }

    function swap(PoolKey calldata, SwapTerms calldata, bytes calldata) external returns (int256) {
        attempt(abi.encodeCall(Locker.unlockCallback, (last)));
        return amount0 << 128 | int256(uint256(uint128(uint256(amount1))));
    }

    function sync(address) external {}

    function settle() external payable returns (uint256) {
        attempt(abi.encodeCall(Locker.unlockCallback, (last)));
        return 0;
    }

    function take(address, address, uint256) external {}

    function successes() external view returns (uint256 count) {
        for (uint256 i; i < succeeded.length; i++) if (succeeded[i]) count++;
    }
}
