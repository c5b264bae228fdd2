// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Test} from "forge-std/Test.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ApprovalProxy} from "#contracts/ApprovalProxy.sol";
import {Call} from "#contracts/Executor.sol";
import {Router} from "#contracts/Router.sol";
import {Swapper} from "#contracts/Swapper.sol";
import {Coin, Wrapped} from "./Currencies.sol";
import {OneForOneManager} from "./Managers.sol";
import {PairPool, RangePool} from "./Pools.sol";

/// Takes what the router deposits, and records the last deposit.
contract Vault {
    address public depositor;
    bytes32 public id;
    uint256 public amount;
    uint256 public count;

    function depositNative(address depositor_, bytes32 id_) external payable {
        (depositor, id, amount) = (depositor_, id_, msg.value);
        count++;
    }

    function depositErc20(address depositor_, address token, uint256 amount_, bytes32 id_) external {
        (depositor, id, amount) = (depositor_, id_, amount_);
        count++;
        (bool success,) =
            token.call(abi.encodeCall(IERC20.transferFrom, (msg.sender, address(this), amount_)));
        require(success);
    }
}

/// Refuses native currency.
contract Refuser {}

/// Our contracts with honest pools, and the calls that users make.
abstract contract Rig is Test {
    bytes32 internal constant id = bytes32(uint256(7));
    address internal immutable user = makeAddr("user");
    address internal immutable payee = makeAddr("payee");
    address internal immutable other = makeAddr("other");

    Vault internal immutable vault = new Vault();
    ApprovalProxy internal immutable proxy = new ApprovalProxy(address(vault));
    Router internal immutable router = proxy.router();
    Coin internal immutable usdc = new Coin();
    Coin internal immutable dai = new Coin();
    Wrapped internal immutable weth = new Wrapped();
    PairPool internal immutable pair = new PairPool(usdc, dai);
    RangePool internal immutable range = new RangePool(usdc, dai);
    OneForOneManager internal immutable manager = new OneForOneManager();

    function fund() internal {
        for (uint256 i; i < 2; i++) {
            Coin coin = i == 0 ? usdc : dai;
            coin.mint(address(pair), 1e12);
            coin.mint(address(range), 1e12);
            coin.mint(address(manager), 1e12);
            coin.mint(user, 1e12);
            vm.prank(user);
            coin.approve(address(proxy), type(uint256).max);
        }
        pair.sync();
        vm.deal(user, 100 ether);
        vm.deal(address(manager), 100 ether);
    }

    /// Gives the user wrapped native currency.
    function fundWrapped() internal {
        vm.deal(address(this), 100 ether);
        weth.deposit{value: 100 ether}();
        weth.transfer(user, 100 ether);
        vm.prank(user);
        weth.approve(address(proxy), type(uint256).max);
    }

    function own(bytes memory data) internal view returns (Call memory) {
        return Call(address(router), false, 0, data);
    }

    function list(Call memory one) internal pure returns (Call[] memory calls) {
        calls = new Call[](1);
        calls[0] = one;
    }

    function list(Call memory one, Call memory two) internal pure returns (Call[] memory calls) {
        calls = new Call[](2);
        (calls[0], calls[1]) = (one, two);
    }

    function list(Call memory one, Call memory two, Call memory three) internal pure returns (Call[] memory calls) {
        calls = new Call[](3);
        (calls[0], calls[1], calls[2]) = (one, two, three);
    }

    function list(address one) internal pure returns (address[] memory values) {
        values = new address[](1);
        values[0] = one;
    }

    function list(uint256 one) internal pure returns (uint256[] memory values) {
        values = new uint256[](1);
        values[0] = one;
    }

    function pay(address currency, address recipient, uint256 minimum) internal view returns (Call memory) {
        return own(abi.encodeCall(Router.pay, (currency, recipient, minimum)));
    }

    /// The calls run from an executor that gets the router's balance of `currency`. The rest goes to `payee`.
    function execute(bytes32 name, address currency, Call[] memory calls) internal view returns (Call memory) {
        address[] memory returned = currency == address(0) ? new address[](0) : list(currency);
        return own(abi.encodeCall(Router.execute, (name, calls, currency, 0, returned, payee)));
    }

    function swap(address input, uint256 amount, uint256 maxOut, bytes memory hops) internal view returns (Call memory) {
        Swapper.Path[] memory paths = new Swapper.Path[](1);
        paths[0] = Swapper.Path(amount, maxOut, hops);
        return own(abi.encodeCall(Router.swap, (input, paths)));
    }

    function hop(address pool, address output, uint24 fee, bool concentrated, bool zeroForOne)
        internal
        pure
        returns (bytes memory)
    {
        uint8 flags = (concentrated ? 1 : 0) | (zeroForOne ? 2 : 0);
        return abi.encodePacked(pool, output, fee, flags);
    }

    /// A hop in a pool of a manager. @param native Whether currency0 of the pool is the native currency.
    function managedHop(address pool, address output, bool zeroForOne, bool native)
        internal
        pure
        returns (bytes memory)
    {
        uint8 flags = 8 | (native ? 16 : 0) | (zeroForOne ? 2 : 0);
        return abi.encodePacked(pool, output, uint24(500), flags, int24(10));
    }

    /// The same in a pool of the native currency, which the hop takes or gives itself.
    function unwrappedHop(address pool, address output, bool zeroForOne) internal pure returns (bytes memory hops) {
        hops = managedHop(pool, output, zeroForOne, true);
        hops[43] |= bytes1(uint8(32));
    }

    /// The user's run with `amount` of `token`.
    function run(address token, uint256 amount, Call[] memory calls) internal returns (Router.Result[] memory) {
        vm.prank(user);
        return proxy.transferAndMulticall(list(token), list(amount), calls, user, payee, abi.encode(id));
    }

    /// The user's run with native currency.
    function run(uint256 value, Call[] memory calls) internal returns (Router.Result[] memory) {
        vm.prank(user);
        return router.multicall{value: value}(calls, user, payee, "");
    }
}
