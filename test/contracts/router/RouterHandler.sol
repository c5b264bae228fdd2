// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Call} from "#contracts/Executor.sol";
import {Router} from "#contracts/Router.sol";
import {Coin} from "./Currencies.sol";
import {HandlerRig, Witness} from "./HandlerRig.sol";
import {Thief} from "./Thief.sol";

/// The actions of honest users, solvers and attackers, in any order. It counts what each may have.
contract RouterHandler is HandlerRig {
    struct Trade {
        Coin input;
        Coin output;
        uint256 amount;
        uint256 minimum;
        address pool;
        bytes hops;
    }

    /// A user swaps by pools of which some are the attacker's, and insists on a minimum.
    function swaps(uint256 seed, uint32 amount, uint8 kinds, bool honest) external aimed(seed) {
        Trade memory trade = tradeOf(amount, kinds, honest);
        uint256 paid = trade.output.balanceOf(payee);
        uint256 stolen = trade.input.balanceOf(address(thief));
        uint256 stolenNative = address(thief).balance;
        uint256 stray = trade.output.balanceOf(address(router));
        if (!tried(trade.input, amount, 0, swapCalls(trade))) return;
        paid = trade.output.balanceOf(payee) - paid;
        holds(paid >= trade.minimum, "the recipient gets the minimum");
        if (honest) holds(paid > stray || amount < 2, "an honest pool pays");
        // A user who accepts nothing from an attacker's pool gives the input away.
        stolen = trade.input.balanceOf(address(thief)) - stolen;
        stolenNative = address(thief).balance - stolenNative;
        holds(stolen + stolenNative <= (honest ? 0 : amount), "a pool gets its input at most");
        allowed[trade.input] += stolen;
        allowedNative += stolenNative;
    }

    /// A user swaps native currency itself, or buys it, in pools of a manager that may be the attacker's.
    function swapsNative(uint256 seed, uint32 amount, uint8 kinds, bool honest) external aimed(seed) {
        bool sells = kinds & 1 != 0;
        uint256 minimum = kinds & 2 != 0 ? uint256(amount) / 2 + 1 : 0;
        address pool = honest ? address(manager) : address(thief);
        address output = sells ? address(dai) : address(0);
        Call[] memory calls = list(
            swap(
                address(sells ? Coin(address(weth)) : dai),
                amount,
                kinds & 4 != 0 ? minimum : 0,
                unwrappedHop(pool, sells ? address(dai) : address(weth), sells)
            ),
            pay(output, payee, minimum),
            pay(address(dai), user, 0)
        );
        vm.deal(user, sells ? amount : 0);
        uint256 paid = heldBy(payee, output);
        (uint256 stolen, uint256 stolenNative) = (dai.balanceOf(address(thief)), address(thief).balance);
        if (!tried(dai, sells ? 0 : amount, sells ? amount : 0, calls)) return;
        holds(heldBy(payee, output) - paid >= minimum, "the recipient gets the minimum of native currency");
        (stolen, stolenNative) = (dai.balanceOf(address(thief)) - stolen, address(thief).balance - stolenNative);
        holds(stolen + stolenNative <= (honest ? 0 : amount), "a pool gets its native input at most");
        allowed[dai] += stolen;
        allowedNative += stolenNative;
    }

    function heldBy(address account, address currency) private view returns (uint256) {
        return currency == address(0) ? account.balance : Coin(currency).balanceOf(account);
    }

    function tradeOf(uint256 amount, uint8 kinds, bool honest) private view returns (Trade memory trade) {
        bool zeroForOne = kinds & 8 != 0;
        (bool managed, bool native) = (kinds & 16 != 0, kinds & 48 == 48);
        Coin one = native ? Coin(address(weth)) : usdc;
        (trade.input, trade.output) = zeroForOne ? (one, dai) : (dai, one);
        trade.amount = amount;
        trade.minimum = kinds & 2 != 0 ? amount / 2 + 1 : 0;
        if (managed) {
            trade.pool = honest ? address(manager) : address(thief);
            trade.hops = managedHop(trade.pool, address(trade.output), zeroForOne, native);
        } else {
            trade.pool = honest ? (kinds & 1 != 0 ? address(range) : address(pair)) : address(thief);
            trade.hops = hop(trade.pool, address(trade.output), 3000, kinds & 1 != 0, zeroForOne);
        }
    }

    /// Some limit the output to their minimum.
    function swapCalls(Trade memory trade) private view returns (Call[] memory calls) {
        calls = new Call[](4);
        calls[0] = own(abi.encodeCall(Router.requireBefore, (block.timestamp)));
        uint256 maxOut = trade.amount & 1 != 0 ? trade.minimum : 0;
        calls[1] = swap(address(trade.input), trade.amount, maxOut, trade.hops);
        calls[2] = pay(address(trade.output), payee, trade.minimum);
        calls[3] = pay(address(trade.input), user, 0);
    }

    /// A user's calls, of which the attacker is a target, in any currency.
    function callsOut(uint256 seed, uint32 amount, uint16 value, bool reverts) external aimed(seed) {
        Coin coin = coins[seed % 3];
        Call[] memory calls = list(
            Call(address(witness), false, 0, abi.encodeCall(Witness.look, ())),
            Call(address(thief), seed & 16 != 0, value, abi.encodeCall(Thief.attack, ())),
            Call(address(reverts ? address(router) : address(witness)), true, 0, abi.encodeWithSignature("x()"))
        );
        // Native currency that the user sends along does not reach calls that spend another currency.
        if (value != 0) calls[1].callData = "";
        bytes32 runId = name();
        address executor = router.executorOf(user, runId);
        thief.addVictim(executor);
        uint256 expected = paidUp(coin, amount);
        vm.deal(user, 1 ether);
        if (!tried(coin, amount, value, list(execute(runId, address(coin), calls)))) {
            return holds(value != 0 && seed & 16 == 0, "calls that fail may fail");
        }
        holds(coin.balanceOf(payee) == expected, "the recipient gets the rest of calls");
        holds(user.balance == 1 ether, "what is not spent comes back");
        holds(isEmpty(executor), "an executor is left empty");
    }

    /// A user pays native currency to the attacker, or deposits.
    function paysNative(uint256 seed, uint64 value, uint64 share, bool deposits) external aimed(seed) {
        share = share % (value == type(uint64).max ? value : value + 1);
        vm.deal(user, value);
        uint256 held = address(thief).balance;
        uint256 strayBefore = address(router).balance;
        Call memory first = deposits
            ? own(abi.encodeCall(Router.depositNative, (user, id, 0, share)))
            : own(abi.encodeCall(Router.cleanupNative, (share, address(thief))));
        vm.prank(user);
        try router.multicall{value: value}(list(first), user, payee, "") {
            runs++;
            // A share of zero means the whole amount.
            if (!deposits && share == 0) holds(user.balance == 0, "all is paid");
            else if (deposits) holds(user.balance >= value - share, "the rest of a deposit comes back");
            else holds(user.balance == value - share, "the rest comes back");
        } catch {
            holds(false, "paying native currency works");
        }
        uint256 gained = address(thief).balance - held;
        holds(gained <= (deposits ? 0 : share == 0 ? value + strayBefore : share), "a payee gets its share");
        allowedNative += gained;
    }

    function depositsErc20(uint256 seed, uint32 amount, uint32 maximum) external aimed(seed) {
        Coin coin = coins[seed % 3];
        uint256 held = coin.balanceOf(address(vault));
        uint256 total = uint256(amount) + coin.balanceOf(address(router));
        Call memory deposit =
            own(abi.encodeCall(Router.depositErc20, (user, address(coin), id, 0, uint256(maximum))));
        holds(tried(coin, amount, 0, list(deposit, pay(address(coin), user, 0))), "depositing works");
        uint256 arrived = coin.balanceOf(address(vault)) - held;
        holds(arrived == (total < maximum ? total : maximum), "a deposit takes all, up to its maximum");
    }

    /// The solver, or a key that it has dismissed, fills one of a few orders again and again.
    function fillsOrder(uint256 seed, uint32 amount, uint16 age, bool withCalls) external aimed(seed) {
        bytes32 orderId = keccak256(abi.encode(seed % 64));
        bool wasFilled = proxy.filled(identity, orderId);
        uint256 deadline = block.timestamp + 600 - age % 1200;
        bool mayFill = proxy.isKey(identity, user) && deadline >= block.timestamp && !wasFilled;
        Coin coin = coins[seed % 3];
        Call memory paying = pay(address(coin), payee, amount);
        if (withCalls) {
            paying = execute(
                orderId,
                address(coin),
                list(
                    Call(address(witness), false, 0, abi.encodeCall(Witness.look, ())),
                    Call(address(thief), false, 0, abi.encodeCall(Thief.attack, ()))
                )
            );
        }
        uint256 expected = paidUp(coin, amount);
        bool isFilled = triedFill(orderId, deadline, coin, amount, list(paying));
        holds(isFilled == mayFill, "an order is filled once, by a key, in time");
        if (isFilled) holds(coin.balanceOf(payee) == expected, "a fill pays");
        holds(proxy.filled(identity, orderId) == (wasFilled || isFilled), "a fill is marked, a failed one is not");
        holds(fills[orderId] < 2, "an order is filled once");
    }

    function setsKey(bool allowed_) external {
        vm.prank(identity);
        proxy.setKey(user, allowed_);
    }

    /// The attacker's own run: it grants itself every right over the executor of its calls, and takes leftover funds.
    function attackerRuns(uint256 seed, uint8 kinds) external aimed(seed) {
        Coin coin = coins[seed % 3];
        Call[] memory grants = list(
            Call(address(coin), true, 0, abi.encodeCall(Coin.approveMax, (address(thief)))),
            Call(address(coin), true, 0, abi.encodeCall(Coin.trust, (address(thief)))),
            Call(address(witness), false, 0, abi.encodeCall(Witness.look, ()))
        );
        bytes32 runId = kinds & 1 != 0 ? bytes32(uint256(seed % 32)) : name();
        Call[] memory calls = new Call[](3);
        calls[0] = execute(runId, kinds & 2 != 0 ? address(coin) : address(0), grants);
        calls[1] = kinds & 4 != 0 ? grants[0] : pay(address(coin), address(thief), 0);
        calls[2] = own(
            abi.encodeCall(Router.depositErc20, (address(thief), address(coin), runId, 0, type(uint256).max))
        );
        for (uint256 i; i < 3; i++) calls[i].allowFailure = kinds & 8 != 0;
        thief.addVictim(router.executorOf(address(thief), runId));
        vm.prank(address(thief));
        try router.multicall(calls, address(thief), address(thief), "") {
            runs++;
        } catch {}
    }

    function takesStrays(uint256 seed) external aimed(seed) {
        thief.attack();
    }

    function givesStrays(uint256 seed, uint16 amount, bool native) external {
        if (native) {
            vm.deal(address(router), address(router).balance + amount);
            strayNative += amount;
        } else {
            Coin coin = coins[seed % 2];
            coin.mint(address(router), amount);
            strays[coin] += amount;
        }
    }

    function waits(uint16 time) external {
        skip(time);
    }
}
