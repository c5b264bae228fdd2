// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Transfers and allowances of the native currency and of ERC-20 currencies. Supports currencies that return nothing
/// instead of true, return false instead of reverting, or only change an allowance from or to zero.
abstract contract Currencies {
    error Erc20CallFailed(address currency);
    error NativePaymentFailed(address recipient, uint256 amount);

    function balanceOf(address currency, address account) internal view returns (uint256) {
        return askErc20(currency, abi.encodeWithSignature("balanceOf(address)", account));
    }

    function allowanceOf(address currency, address owner, address spender) internal view returns (uint256) {
        return askErc20(currency, abi.encodeWithSignature("allowance(address,address)", owner, spender));
    }

    function transfer(address currency, address recipient, uint256 amount) internal {
        callErc20(currency, abi.encodeWithSignature("transfer(address,uint256)", recipient, amount));
    }

    function transferFrom(address currency, address owner, address recipient, uint256 amount) internal {
        callErc20(currency, abi.encodeWithSignature("transferFrom(address,address,uint256)", owner, recipient, amount));
    }

    /// Sets an allowance. Resets a nonzero allowance to zero first, as USDT requires.
    function approve(address currency, address spender, uint256 amount) internal {
        if (amount != 0 && allowanceOf(currency, address(this), spender) != 0) approve(currency, spender, 0);
        callErc20(currency, abi.encodeWithSignature("approve(address,uint256)", spender, amount));
    }

    function payNative(address recipient, uint256 amount) internal {
        bool done;
        // The return data is not copied, so a recipient cannot make the caller pay gas for copying it.
        assembly ("memory-safe") {
            done := call(gas(), recipient, amount, 0, 0, 0, 0)
        }
        if (!done) revert NativePaymentFailed(recipient, amount);
    }

    /// Reverts with the return data of a failed call.
    function bubble(bytes memory answer) internal pure {
        assembly ("memory-safe") {
            revert(add(answer, 32), mload(answer))
        }
    }

    /// Calls a view function that returns one word.
    function askErc20(address currency, bytes memory data) private view returns (uint256 word) {
        bool known;
        assembly ("memory-safe") {
            known := staticcall(gas(), currency, add(data, 32), mload(data), 0, 32)
            known := and(known, gt(returndatasize(), 31))
            word := mload(0)
        }
        if (!known) revert Erc20CallFailed(currency);
    }

    /// An empty return value counts as success if the address has code. A nonempty one must be true.
    function callErc20(address currency, bytes memory data) private {
        bool done;
        bool called;
        assembly ("memory-safe") {
            called := call(gas(), currency, 0, add(data, 32), mload(data), 0, 32)
            switch returndatasize()
            case 0 { done := and(called, gt(extcodesize(currency), 0)) }
            default { done := and(called, and(gt(returndatasize(), 31), eq(mload(0), 1))) }
        }
        if (done) return;
        if (called) revert Erc20CallFailed(currency);
        // Bubbles up the currency's own revert reason, such as an insufficient balance.
        assembly ("memory-safe") {
            let free := mload(0x40)
            returndatacopy(free, 0, returndatasize())
            if returndatasize() { revert(free, returndatasize()) }
        }
        revert Erc20CallFailed(currency);
    }
}
