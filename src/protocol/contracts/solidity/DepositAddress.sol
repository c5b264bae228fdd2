// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Currencies} from "./Currencies.sol";

interface DepositoryFunctions {
    function depositNative(address depositor, bytes32 id) external payable;
    function depositErc20(address depositor, address token, uint256 amount, bytes32 id) external;
}

/// Receives payments without calldata, and can only deposit them. Nobody has a key of this address. The factory deploys
/// a clone for each order and depositor, at a predictable address, and passes both in each call.
contract DepositAddress is Currencies {
    error NotTheFactory(address caller);
    error NothingToSweep(address token);

    address private immutable factory = msg.sender;
    DepositoryFunctions private immutable depository;

    constructor(address depository_) {
        depository = DepositoryFunctions(depository_);
    }

    receive() external payable {}

    /// @notice Deposits the whole balances of `tokens` for the order. The zero address is the native currency. Reverts
    /// if a balance is zero: a second sweep would only cost gas.
    /// @param orderId The id of the order that is paid.
    /// @param depositor The account that can take the deposit back.
    /// @param tokens The currencies. The zero address is the native one.
    function sweep(bytes32 orderId, address depositor, address[] calldata tokens) external {
        if (msg.sender != factory) revert NotTheFactory(msg.sender);
        for (uint256 i; i < tokens.length; i++) {
            address token = tokens[i];
            bool isNative = token == address(0);
            uint256 amount = isNative ? address(this).balance : balanceOf(token, address(this));
            if (amount == 0) revert NothingToSweep(token);
            if (isNative) {
                depository.depositNative{value: amount}(depositor, orderId);
            } else {
                approve(token, address(depository), amount);
                depository.depositErc20(depositor, token, amount, orderId);
            }
        }
    }
}
