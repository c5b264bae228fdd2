// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {DepositAddress} from "#contracts/DepositAddress.sol";
import {DepositAddressFactory} from "#contracts/DepositAddressFactory.sol";
import {Deposits} from "#contracts/Deposits.sol";
import {Coin, DepositoryRig} from "#test/depository/DepositoryRig.sol";
import {Hook, HookedCoin, Tether} from "#test/router/Currencies.sol";

/// Pays out of its own code, as exchanges do.
contract Payer {
    constructor() payable {}

    function pay(address recipient, uint256 amount) external {
        (bool success,) = recipient.call{value: amount}("");
        require(success);
    }
}

/// A currency's hook that sweeps the native currency of an address in the middle of another sweep.
contract Reentrant is Hook {
    DepositAddressFactory private immutable factory;
    bytes32 private immutable orderId;
    address private immutable depositor;
    bool private busy;
    bool public succeeded;

    constructor(DepositAddressFactory factory_, bytes32 orderId_, address depositor_) {
        (factory, orderId, depositor) = (factory_, orderId_, depositor_);
    }

    function attack() external {
        if (busy) return;
        busy = true;
        address[] memory tokens = new address[](1);
        (bool success,) =
            address(factory).call(abi.encodeCall(DepositAddressFactory.sweep, (orderId, depositor, tokens)));
        succeeded = succeeded || success;
        busy = false;
    }
}

contract DepositAddressTest is DepositoryRig {
    bytes32 private constant orderId = keccak256("order");
    DepositAddressFactory private factory;
    address private target;

    function setUp() public override {
        super.setUp();
        factory = new DepositAddressFactory(address(depository));
        target = factory.computeDepositAddress(orderId, user);
    }

    function list(address one) private pure returns (address[] memory tokens) {
        tokens = new address[](1);
        tokens[0] = one;
    }

    function list(address first, address second) private pure returns (address[] memory tokens) {
        tokens = new address[](2);
        (tokens[0], tokens[1]) = (first, second);
    }

    function owed(address currency, uint256 amount, uint256 index) private view returns (uint256) {
        return owedOf(Deposits.Deposit(orderId, user, currency, amount, index));
    }

    function test_theSelectorsAreThoseThatClientsKnow() external pure {
        assertEq(DepositAddressFactory.computeDepositAddress.selector, bytes4(0x0767bc1e));
        assertEq(DepositAddressFactory.sweep.selector, bytes4(0xd80c6c1b));
    }

    function testFuzz_theAddressIsAnEip1167CloneByTheSalt(bytes32 id, address depositor) external view {
        bytes memory code = abi.encodePacked(
            hex"3d602d80600a3d3981f3363d3d373d3d3d363d73",
            factory.implementation(),
            hex"5af43d82803e903d91602b57fd5bf3"
        );
        assertEq(
            factory.computeDepositAddress(id, depositor),
            vm.computeCreate2Address(keccak256(abi.encodePacked(id, depositor)), keccak256(code), address(factory))
        );
    }

    function testFuzz_anyoneSweepsAllOfItIntoTheDepository(uint128 amount, uint128 wei_, address caller) external {
        vm.assume(caller != address(depository) && caller != target);
        (uint256 coins, uint256 value) = (uint256(amount) + 1, uint256(wei_) + 1);
        coin.mint(target, coins);
        vm.deal(target, value);
        vm.expectEmit(address(factory));
        emit DepositAddressFactory.ProxyDeployed(orderId, target);
        vm.prank(caller);
        factory.sweep(orderId, user, list(native, address(coin)));
        assertEq(owed(native, value, 0), value);
        assertEq(owed(address(coin), coins, 0), coins);
        assertEq(address(depository).balance, value);
        assertEq(coin.balanceOf(address(depository)), coins);
        assertEq(target.balance + coin.balanceOf(target), 0);
        assertEq(coin.allowance(target, address(depository)), 0);
    }

    function test_itTakesPaymentsOfContractsBeforeAndAfterItsFirstSweep() external {
        Payer payer = new Payer{value: 10}();
        for (uint256 i; i < 2; i++) {
            payer.pay(target, 5);
            factory.sweep(orderId, user, list(native));
            assertEq(owed(native, 5, i), 5);
        }
        assertEq(address(depository).balance, 10);
    }

    function test_aCurrencyThatReturnsNothingIsSwept() external {
        Tether tether = new Tether();
        tether.mint(target, 7);
        factory.sweep(orderId, user, list(address(tether)));
        tether.mint(target, 9);
        factory.sweep(orderId, user, list(address(tether)));
        assertEq(tether.balanceOf(address(depository)), 16);
        assertEq(owed(address(tether), 9, 0), 9);
    }

    function test_nothingToSweepReverts() external {
        bytes memory nothing = abi.encodeWithSelector(DepositAddress.NothingToSweep.selector, native);
        vm.expectRevert(nothing);
        factory.sweep(orderId, user, list(native));
        vm.deal(target, 1);
        factory.sweep(orderId, user, list(native));
        vm.expectRevert(nothing);
        factory.sweep(orderId, user, list(native));
        vm.deal(target, 1);
        vm.expectRevert(nothing);
        factory.sweep(orderId, user, list(native, native));
    }

    function test_itNeedsADepositorWhoCanTakeTheDepositBack() external {
        vm.expectRevert(DepositAddressFactory.NoDepositor.selector);
        factory.sweep(orderId, address(0), list(native));
    }

    function testFuzz_onlyTheFactoryCallsIt(address caller, address depositor) external {
        vm.assume(caller != address(factory));
        vm.deal(target, 2);
        factory.sweep(orderId, user, list(native));
        vm.deal(target, 1);
        bytes memory refused = abi.encodeWithSelector(DepositAddress.NotTheFactory.selector, caller);
        vm.prank(caller);
        vm.expectRevert(refused);
        DepositAddress(payable(target)).sweep(orderId, depositor, list(native));
        DepositAddress implementation = factory.implementation();
        vm.prank(caller);
        vm.expectRevert(refused);
        implementation.sweep(orderId, depositor, list(native));
    }

    /// Whoever sweeps with other terms sweeps another address.
    function testFuzz_otherTermsDoNotReachIt(bytes32 otherId, address depositor) external {
        vm.assume(otherId != orderId || depositor != user);
        vm.assume(depositor != address(0));
        vm.deal(target, 5);
        vm.expectRevert(abi.encodeWithSelector(DepositAddress.NothingToSweep.selector, native));
        factory.sweep(otherId, depositor, list(native));
        assertEq(target.balance, 5);
    }

    function test_aCurrencyThatCallsBackGainsNothing() external {
        HookedCoin hooked = new HookedCoin();
        hooked.mint(target, 3);
        vm.deal(target, 4);
        Reentrant hook = new Reentrant(factory, orderId, user);
        hooked.setHook(hook);
        factory.sweep(orderId, user, list(address(hooked)));
        assertTrue(hook.succeeded());
        assertEq(owed(address(hooked), 3, 0), 3);
        assertEq(owed(native, 4, 0), 4);
        assertEq(address(hook).balance, 0);
    }

    function test_theDepositorTakesTheDepositBackAlone() external {
        vm.deal(target, 5);
        factory.sweep(orderId, user, list(native));
        vm.warp(block.timestamp + 14 days);
        depository.exit(Deposits.Deposit(orderId, user, native, 5, 0), user);
        assertEq(user.balance, 5);
    }
}
