// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Test} from "forge-std/Test.sol";
import {Depository} from "#contracts/Depository.sol";
import {DepositAddress} from "#contracts/DepositAddress.sol";
import {DepositAddressFactory} from "#contracts/DepositAddressFactory.sol";
import {Coin, DepositoryRig} from "#test/depository/DepositoryRig.sol";

/// Pays, sweeps and attacks a few deposit addresses of two orders and two depositors.
contract AddressActors is DepositoryRig {
    DepositAddressFactory public factory;
    mapping(address currency => uint256) public paid;

    function setUp() public override {
        super.setUp();
        factory = new DepositAddressFactory(address(depository));
    }

    function terms(uint8 seed) private view returns (bytes32 orderId, address depositor, address proxy) {
        orderId = keccak256(abi.encode(seed % 2));
        depositor = seed % 4 < 2 ? user : refundTo;
        proxy = factory.computeDepositAddress(orderId, depositor);
    }

    function currencyOf(bool isNative) private view returns (address) {
        return isNative ? native : address(coin);
    }

    function pay(uint8 seed, bool isNative, uint96 amount) external {
        (,, address proxy) = terms(seed);
        paid[currencyOf(isNative)] += amount;
        if (isNative) vm.deal(proxy, proxy.balance + amount);
        else coin.mint(proxy, amount);
    }

    function sweep(uint8 seed, bool isNative, address caller) external {
        (bytes32 orderId, address depositor,) = terms(seed);
        address[] memory tokens = new address[](1);
        tokens[0] = currencyOf(isNative);
        vm.prank(caller);
        try factory.sweep(orderId, depositor, tokens) {} catch {}
    }

    /// Any call by anyone of the factory, an address, or the implementation.
    function attack(uint8 seed, uint8 target, bytes4 selector, bytes32 one, bytes32 other, address caller) external {
        (bytes32 orderId,, address proxy) = terms(seed);
        address to = target % 3 == 0 ? address(factory) : target % 3 == 1 ? proxy : address(factory.implementation());
        address[] memory tokens = new address[](2);
        tokens[1] = address(coin);
        bytes memory data = target % 2 == 0
            ? abi.encodeWithSelector(selector, one, other, thief)
            : abi.encodeCall(DepositAddress.sweep, (target % 5 == 0 ? orderId : one, thief, tokens));
        vm.prank(caller == proxy || caller == address(factory) ? thief : caller);
        (bool success,) = to.call(data);
        success;
    }

    function held(address currency) external view returns (uint256 sum) {
        for (uint8 seed; seed < 4; seed++) {
            (,, address proxy) = terms(seed);
            sum += balanceOf(currency, proxy);
        }
    }

    function parts() external view returns (Depository, Coin, address) {
        return (depository, coin, thief);
    }
}

contract DepositAddressInvariants is Test {
    AddressActors private actors;

    function setUp() external {
        actors = new AddressActors();
        actors.setUp();
        bytes4[] memory steps = new bytes4[](3);
        steps[0] = actors.pay.selector;
        steps[1] = actors.sweep.selector;
        steps[2] = actors.attack.selector;
        targetContract(address(actors));
        targetSelector(FuzzSelector(address(actors), steps));
    }

    /// What is paid in is at the addresses or recorded in the depository: nobody else is ever paid.
    function invariant_anAddressPaysTheDepositoryAlone() external view {
        (Depository depository, Coin coin, address thief) = actors.parts();
        address[2] memory currencies = [address(0), address(coin)];
        for (uint256 i; i < 2; i++) {
            address currency = currencies[i];
            assertEq(actors.paid(currency), actors.held(currency) + depository.reserved(currency));
        }
        assertEq(thief.balance + coin.balanceOf(thief), 0);
    }
}
