// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Currencies} from "./Currencies.sol";

interface WrappedNative {
    function deposit() external payable;
    function withdraw(uint256 amount) external;
}

/// A pool of a manager. The zero address stands for the native currency, and for no hooks.
struct PoolKey {
    address currency0;
    address currency1;
    uint24 fee;
    int24 tickSpacing;
    address hooks;
}

struct SwapTerms {
    bool zeroForOne;
    /// Negative for an exact input, positive for an exact output.
    int256 amountSpecified;
    uint160 sqrtPriceLimitX96;
}

/// @custom:source Uniswap v4-core 1.0.2, IPoolManager
interface PoolManager {
    function unlock(bytes calldata data) external returns (bytes memory);
    /// Returns amount0 (upper 128 bits) and amount1 (lower 128 bits), negative for what the caller owes.
    function swap(PoolKey calldata key, SwapTerms calldata terms, bytes calldata hookData) external returns (int256);
    function sync(address currency) external;
    function settle() external payable returns (uint256);
    function take(address currency, address to, uint256 amount) external;
}

/// Swaps in pools that one manager holds: Uniswap v4, without hooks. Managers are untrusted: a manager receives at most
/// the amount that its hop has available, and calls back once for each swap.
abstract contract ManagedPools is Currencies {
    struct ManagedSwap {
        PoolKey key;
        SwapTerms terms;
        /// The currencies that this contract pays and receives. For the native currency of a pool the zero address, or
        /// the wrapped currency, which is then unwrapped or wrapped around the swap.
        address input;
        address output;
        /// Limit on what the manager receives.
        uint256 available;
    }

    error UnexpectedCall(address caller);
    error PoolAsksTooMuch(address pool, uint256 asked, uint256 maximum);

    /// Hash of the manager of the current swap and of its data, from the call until its callback.
    bytes32 private transient awaited;

    function swapManaged(address manager, ManagedSwap memory wanted) internal {
        PoolManager(manager).unlock(awaitCallback(manager, wanted));
        awaited = 0;
    }

    /// Returns false if the swap reverts, for instance because it costs more than is available. It then has no effect.
    function trySwapManaged(address manager, ManagedSwap memory wanted) internal returns (bool swapped) {
        try PoolManager(manager).unlock(awaitCallback(manager, wanted)) {
            swapped = true;
        } catch {}
        awaited = 0;
    }

    /// @notice The callback of `unlock`. Swaps, pays the input and takes the output. Accepted once per swap, only from
    /// its manager and only with the data that the manager was given.
    /// @param data The data that the manager was given.
    /// @return Nothing: the manager ignores it.
    function unlockCallback(bytes calldata data) external returns (bytes memory) {
        if (callbackOf(msg.sender, data) != awaited) revert UnexpectedCall(msg.sender);
        awaited = 0;
        ManagedSwap memory wanted = abi.decode(data, (ManagedSwap));
        (PoolKey memory key, bool zeroForOne) = (wanted.key, wanted.terms.zeroForOne);
        int256 delta = PoolManager(msg.sender).swap(key, wanted.terms, "");
        (int256 paid, int256 bought) = (delta >> 128, int128(delta));
        if (!zeroForOne) (paid, bought) = (bought, paid);
        if (paid < 0) {
            uint256 owed = uint256(-paid);
            if (owed > wanted.available) revert PoolAsksTooMuch(msg.sender, owed, wanted.available);
            settle(zeroForOne ? key.currency0 : key.currency1, wanted.input, owed);
        }
        if (bought > 0) take(zeroForOne ? key.currency1 : key.currency0, wanted.output, uint256(bought));
        return "";
    }

    function awaitCallback(address manager, ManagedSwap memory wanted) private returns (bytes memory data) {
        data = abi.encode(wanted);
        awaited = callbackOf(manager, data);
    }

    function callbackOf(address manager, bytes memory data) private pure returns (bytes32) {
        return keccak256(abi.encode(manager, data));
    }

    /// @param currency Zero for the native currency, which is unwrapped from `held` unless that is zero too.
    function settle(address currency, address held, uint256 amount) private {
        // Anyone may have synced the manager with another currency before.
        PoolManager(msg.sender).sync(currency);
        if (currency == address(0)) {
            if (held != address(0)) WrappedNative(held).withdraw(amount);
            PoolManager(msg.sender).settle{value: amount}();
        } else {
            transfer(held, msg.sender, amount);
            PoolManager(msg.sender).settle();
        }
    }

    /// @param currency Zero for the native currency, which is wrapped into `held` unless that is zero too. Only the
    /// amount that arrives is wrapped: a malicious manager must not cause other native currency of this contract to be
    /// wrapped.
    function take(address currency, address held, uint256 amount) private {
        uint256 before = address(this).balance;
        PoolManager(msg.sender).take(currency, address(this), amount);
        if (currency != held && currency == address(0)) {
            WrappedNative(held).deposit{value: address(this).balance - before}();
        }
    }
}
