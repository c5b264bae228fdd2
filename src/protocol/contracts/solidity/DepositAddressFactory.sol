// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {DepositAddress} from "./DepositAddress.sol";

/// Gives each order and depositor an address (EIP-1167, CREATE2) that can be paid before it has code. Anyone who knows
/// the order and the depositor may sweep the address, repeatedly. A sweep deposits the address's balances for that
/// order, in the name of that depositor, who gets them back if the order is not filled.
contract DepositAddressFactory {
    /// @notice The first sweep of a deposit address has deployed it.
    /// @param orderId The id of the order that the address pays for.
    /// @param proxy The address.
    event ProxyDeployed(bytes32 indexed orderId, address proxy);

    error NoDepositor();

    /// @notice Each deposit address is a clone of it.
    DepositAddress public immutable implementation;

    constructor(address depository) {
        implementation = new DepositAddress(depository);
    }

    /// @notice The deposit address of an order and a depositor.
    /// @param orderId The id of the order that is paid.
    /// @param depositor The account that can take the deposit back.
    /// @return The address, which can be paid before it has code.
    function computeDepositAddress(bytes32 orderId, address depositor) public view returns (address) {
        return Clones.predictDeterministicAddress(address(implementation), saltOf(orderId, depositor));
    }

    /// @notice Deposits the whole balances of `tokens` at the address. The zero address is the native currency. Reverts
    /// if a balance is zero.
    /// @param orderId The id of the order that is paid.
    /// @param depositor The account that can take the deposit back.
    /// @param tokens The currencies. The zero address is the native one.
    function sweep(bytes32 orderId, address depositor, address[] calldata tokens) external {
        // With no depositor, the depository would record the address itself, and nobody could take the deposit back.
        if (depositor == address(0)) revert NoDepositor();
        address payable proxy = payable(computeDepositAddress(orderId, depositor));
        if (proxy.code.length == 0) {
            Clones.cloneDeterministic(address(implementation), saltOf(orderId, depositor));
            emit ProxyDeployed(orderId, proxy);
        }
        DepositAddress(proxy).sweep(orderId, depositor, tokens);
    }

    function saltOf(bytes32 orderId, address depositor) private pure returns (bytes32) {
        return keccak256(abi.encodePacked(orderId, depositor));
    }
}
