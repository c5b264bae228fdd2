// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

struct Key {
    address currency0;
    address currency1;
    uint24 fee;
    int24 tickSpacing;
    address hooks;
}

struct Position {
    int24 tickLower;
    int24 tickUpper;
    int256 liquidityDelta;
    bytes32 salt;
}

struct Trade {
    bool zeroForOne;
    int256 amountSpecified;
    uint160 sqrtPriceLimitX96;
}

interface Manager {
    function initialize(Key memory key, uint160 sqrtPriceX96) external returns (int24 tick);
    function setProtocolFeeController(address controller) external;
    function setProtocolFee(Key memory key, uint24 newProtocolFee) external;
    function unlock(bytes calldata data) external returns (bytes memory);
    function modifyLiquidity(Key memory key, Position memory position, bytes calldata hookData)
        external
        returns (int256 callerDelta, int256 feesAccrued);
    function swap(Key memory key, Trade memory trade, bytes calldata hookData) external returns (int256 delta);
    function donate(Key memory key, uint256 amount0, uint256 amount1, bytes calldata hookData)
        external
        returns (int256 delta);
    function sync(address currency) external;
    function settle() external payable returns (uint256);
    function take(address currency, address to, uint256 amount) external;
}

interface Erc20 {
    function transfer(address to, uint256 amount) external returns (bool);
}

/// Deploys the manager of Uniswap v4's pools from its published code, and provides and trades the liquidity of its
/// pools from its own balances.
contract UniswapV4Pools {
    Manager public immutable manager;

    constructor(bytes memory code) payable {
        bytes memory creation = abi.encodePacked(code, abi.encode(address(this)));
        address created;
        assembly {
            created := create(0, add(creation, 32), mload(creation))
        }
        require(created != address(0), "not created");
        manager = Manager(created);
        manager.setProtocolFeeController(address(this));
    }

    receive() external payable {}

    function create(Key memory key, uint160 sqrtPriceX96) external {
        manager.initialize(key, sqrtPriceX96);
    }

    function setProtocolFee(Key memory key, uint24 fees) external {
        manager.setProtocolFee(key, fees);
    }

    function mint(Key memory key, Position memory position) external {
        run(abi.encodeCall(manager.modifyLiquidity, (key, position, "")), key);
    }

    /// Gives both amounts to the pool's liquidity.
    function donate(Key memory key, uint256 amount0, uint256 amount1) external {
        run(abi.encodeCall(manager.donate, (key, amount0, amount1, "")), key);
    }

    /// Negative amounts are paid by this contract.
    function swap(Key memory key, Trade memory trade) external returns (int128 amount0, int128 amount1) {
        return run(abi.encodeCall(manager.swap, (key, trade, "")), key);
    }

    function run(bytes memory call, Key memory key) private returns (int128 amount0, int128 amount1) {
        bytes memory answer = manager.unlock(abi.encode(call, key));
        int256 delta = abi.decode(answer, (int256));
        return (int128(delta >> 128), int128(delta));
    }

    function unlockCallback(bytes calldata data) external returns (bytes memory) {
        require(msg.sender == address(manager), "not the manager");
        (bytes memory call, Key memory key) = abi.decode(data, (bytes, Key));
        (bool success, bytes memory answer) = address(manager).call(call);
        if (!success) {
            assembly {
                revert(add(answer, 32), mload(answer))
            }
        }
        int256 delta;
        assembly {
            delta := mload(add(answer, 32))
        }
        balance(key.currency0, int128(delta >> 128));
        balance(key.currency1, int128(delta));
        return abi.encode(delta);
    }

    function balance(address currency, int256 delta) private {
        if (delta > 0) manager.take(currency, address(this), uint256(delta));
        if (delta >= 0) return;
        manager.sync(currency);
        if (currency == address(0)) {
            manager.settle{value: uint256(-delta)}();
        } else {
            Erc20(currency).transfer(address(manager), uint256(-delta));
            manager.settle();
        }
    }
}
