// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {LowLevelCall} from "@openzeppelin/contracts/utils/LowLevelCall.sol";

/// Transfers and allowances of the native currency and of ERC-20 currencies. Supports currencies that return nothing
/// instead of true, return false instead of reverting, or only change an allowance from or to zero.
abstract contract Currencies {
    using SafeERC20 for IERC20;

    error NativePaymentFailed(address recipient, uint256 amount);

    function balanceOf(address currency, address account) internal view returns (uint256) {
        return IERC20(currency).balanceOf(account);
    }

    /// This contract's balance of a currency. The zero address stands for the native currency.
    function heldOf(address currency) internal view returns (uint256) {
        return currency == address(0) ? address(this).balance : balanceOf(currency, address(this));
    }

    function allowanceOf(address currency, address owner, address spender) internal view returns (uint256) {
        return IERC20(currency).allowance(owner, spender);
    }

    function transfer(address currency, address recipient, uint256 amount) internal {
        IERC20(currency).safeTransfer(recipient, amount);
    }

    function transferFrom(address currency, address owner, address recipient, uint256 amount) internal {
        IERC20(currency).safeTransferFrom(owner, recipient, amount);
    }

    /// Sets an allowance. Resets it to zero first if the currency requires that, as USDT does.
    function approve(address currency, address spender, uint256 amount) internal {
        IERC20(currency).forceApprove(spender, amount);
    }

    function payNative(address recipient, uint256 amount) internal {
        if (!tryPayNative(recipient, amount)) revert NativePaymentFailed(recipient, amount);
    }

    /// Returns false if the recipient refuses. The return data is not copied, so a recipient cannot make the caller pay
    /// gas for copying it.
    function tryPayNative(address recipient, uint256 amount) internal returns (bool) {
        return LowLevelCall.callNoReturn(recipient, amount, "");
    }

    /// Reverts with the return data of a failed call.
    function bubble(bytes memory answer) internal pure {
        assembly ("memory-safe") {
            revert(add(answer, 32), mload(answer))
        }
    }
}
