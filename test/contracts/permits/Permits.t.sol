// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Call} from "#contracts/Executor.sol";
import {Permits} from "#contracts/Permits.sol";
import {FakeCurrency, Wallet} from "./PermitActors.sol";
import {PermitRig, Signed} from "./PermitRig.sol";

contract PermitsTest is PermitRig {
    uint256 private constant half = 0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF5D576E7357A4501DDFE92F46681B20A0;
    uint256 private constant whole = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141;

    function setUp() external {
        placePermits();
        vm.prank(signer);
        currency.approve(address(permit2), type(uint256).max);
    }

    function test_theTwinOfThePublishedSelectors() external view {
        assertEq(proxy.permitTransferAndMulticall.selector, bytes4(0xfb68c293));
        assertEq(proxy.permit3009TransferAndMulticall.selector, bytes4(0xf80f00fb));
        assertEq(proxy.permit2TransferAndMulticall.selector, bytes4(0x0a2b8f36));
        assertEq(address(proxy.permit2()), address(permit2));
    }

    function test_aTransferBySignatureDeposits(uint48 amount) external {
        Signed memory terms = order(amount);
        Call[] memory calls = callsOf(terms);
        send3009(relayer, sign3009(terms, calls), terms, calls);
        assertDeposited(terms);
        assertTrue(currency.authorizationState(signer, witnessOf(terms, calls)));
    }

    function test_aPermit2SignatureDeposits(uint48 amount, uint256 nonce) external {
        Signed memory terms = order(amount);
        terms.nonce = nonce;
        Call[] memory calls = callsOf(terms);
        sendBatch(relayer, signBatch(terms, calls), terms, calls);
        assertDeposited(terms);
    }

    function test_anAllowanceBySignatureComesFirst(uint48 amount, bool used) external {
        vm.prank(signer);
        currency.approve(address(permit2), 0);
        Signed memory terms = order(amount);
        Call[] memory calls = callsOf(terms);
        Permits.Permit2612 memory allowance =
            sign2612(signer, signerKey, address(permit2), amount, block.timestamp + 600);
        // Whoever front-runs it only does its work.
        if (used) {
            vm.prank(other);
            currency.permit(signer, address(permit2), amount, allowance.deadline, allowance.v, allowance.r, allowance.s);
        }
        bytes memory signature = signBatch(terms, calls);
        vm.prank(relayer);
        proxy.permitAndPermit2TransferAndMulticall(
            allowance, signer, permitOf(terms), calls, signer, signer, terms.metadata, signature
        );
        assertDeposited(terms);
    }

    function test_theOwnersOwnPermitBindsNoCallsSoOnlyTheOwnerSendsIt(uint48 amount, bool used) external {
        Permits.Permit2612 memory permit =
            sign2612(signer, signerKey, address(proxy), amount, block.timestamp + 600);
        Call[] memory calls = callsOf(order(amount));
        vm.prank(relayer);
        vm.expectRevert(abi.encodeWithSelector(Permits.NotTheOwner.selector, signer, relayer));
        proxy.permitTransferAndMulticall(listed(permit), calls, signer, signer, "");
        if (used) {
            vm.prank(other);
            currency.permit(signer, address(proxy), amount, permit.deadline, permit.v, permit.r, permit.s);
        }
        vm.prank(signer);
        proxy.permitTransferAndMulticall(listed(permit), calls, signer, signer, "");
        assertDeposited(order(amount));
    }

    /// Every part that a relayer could alter, in turn.
    function altered(Signed memory terms, Call[] memory calls, uint256 kind, address account) private view {
        Call memory first = calls[0];
        if (kind == 0) terms.refundTo = account;
        if (kind == 1) terms.nftRecipient = account;
        if (kind == 2) terms.metadata = abi.encode(account);
        if (kind == 3) terms.metadata = "";
        if (kind == 4) first.target = account;
        if (kind == 5) first.value = 1;
        if (kind == 6) first.callData = pay(address(currency), account, 0).callData;
        if (kind == 7) first.callData = bytes.concat(first.callData, bytes20(account));
        if (kind == 8) calls[0] = pay(address(currency), account, 0);
        if (kind == 9) terms.amount += 1;
        if (kind == 10) terms.end += 1;
        if (kind == 11) terms.nonce += 1;
        if (kind == 12) first.callData = "";
    }

    function test_attack_nothingCanBeAltered(uint40 amount, uint256 kind, address account, bool isBatch) external {
        vm.assume(account != signer && account != address(router) && account != address(0));
        Signed memory terms = order(amount);
        Call[] memory calls = callsOf(terms);
        Permits.Permit3009 memory permit = sign3009(terms, calls);
        bytes memory signature = signBatch(terms, calls);
        kind = bound(kind, 0, isBatch ? 12 : 10);
        if (!isBatch && kind == 11) kind = 0;
        altered(terms, calls, kind, account);
        (permit.value, permit.validBefore) = (terms.amount, terms.end);
        if (isBatch) this.tryBatch(relayer, signature, terms, calls);
        else this.try3009(relayer, permit, terms, calls);
        assertUntouched();
    }

    function test_attack_nobodyElseRelays(uint40 amount, address by, bool isBatch) external {
        vm.assume(by != relayer);
        Signed memory terms = order(amount);
        Call[] memory calls = callsOf(terms);
        if (isBatch) this.tryBatch(by, signBatch(terms, calls), terms, calls);
        else this.try3009(by, sign3009(terms, calls), terms, calls);
        assertUntouched();
    }

    /// An account of the same signer, at another proxy of the same code, on a fork, or in another currency.
    function test_attack_aSignatureIsGoodAtOnePlaceOnly(uint40 amount, uint64 chainId, bool isBatch) external {
        vm.assume(chainId != block.chainid);
        Signed memory terms = order(amount);
        Call[] memory calls = callsOf(terms);
        (Permits.Permit3009 memory permit, bytes memory signature) = (sign3009(terms, calls), signBatch(terms, calls));
        vm.chainId(chainId);
        if (isBatch) this.tryBatch(relayer, signature, terms, calls);
        else this.try3009(relayer, permit, terms, calls);
        assertUntouched();
    }

    function test_attack_aSignatureIsGoodOnce(uint40 amount, bool isBatch) external {
        Signed memory terms = order(amount);
        Call[] memory calls = callsOf(terms);
        (Permits.Permit3009 memory permit, bytes memory signature) = (sign3009(terms, calls), signBatch(terms, calls));
        for (uint256 i; i < 2; i++) {
            if (isBatch && i == 0) sendBatch(relayer, signature, terms, calls);
            else if (isBatch) this.tryBatch(relayer, signature, terms, calls);
            else if (i == 0) send3009(relayer, permit, terms, calls);
            else this.try3009(relayer, permit, terms, calls);
        }
        assertDeposited(terms);
    }

    function test_attack_aKeptSignatureExpires(uint40 amount, uint32 late, bool isBatch) external {
        Signed memory terms = order(amount);
        Call[] memory calls = callsOf(terms);
        (Permits.Permit3009 memory permit, bytes memory signature) = (sign3009(terms, calls), signBatch(terms, calls));
        vm.warp(terms.end + 1 + late);
        if (isBatch) this.tryBatch(relayer, signature, terms, calls);
        else this.try3009(relayer, permit, terms, calls);
        assertUntouched();
    }

    function test_attack_theTwinOfASignatureIsRefusedOrUseless(uint40 amount, bool isBatch) external {
        Signed memory terms = order(amount);
        Call[] memory calls = callsOf(terms);
        Permits.Permit3009 memory permit = sign3009(terms, calls);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(signerKey, batchDigest(terms, calls));
        if (!isBatch) {
            (permit.v, permit.s) = (55 - permit.v, bytes32(whole - uint256(permit.s)));
            assertGt(uint256(permit.s), half);
            this.try3009(relayer, permit, terms, calls);
            assertUntouched();
            return;
        }
        // Permit2 accepts the twin, and the nonce makes both one.
        sendBatch(relayer, abi.encodePacked(r, whole - uint256(s), 55 - v), terms, calls);
        this.tryBatch(relayer, abi.encodePacked(r, s, v), terms, calls);
        assertDeposited(terms);
    }

    function test_aContractWalletSignsByItsOwnRules(uint40 amount) external {
        Wallet wallet = new Wallet(signer);
        Signed memory terms = order(amount);
        Call[] memory calls = callsOf(terms);
        vm.prank(signer);
        currency.transfer(address(wallet), amount);
        wallet.approve(address(currency), address(permit2));
        bytes memory signature = signBatch(terms, calls);
        vm.prank(relayer);
        vm.expectRevert();
        proxy.permit2TransferAndMulticall(
            address(wallet), permitOf(terms), calls, signer, signer, "", signature
        );
        vm.prank(relayer);
        proxy.permit2TransferAndMulticall(
            address(wallet), permitOf(terms), calls, signer, signer, terms.metadata, signature
        );
        assertEq(vault.amount(), amount);
    }

    function test_attack_anEmptySignatureIsNone(uint40 amount) external {
        Wallet wallet = new Wallet(signer);
        vm.prank(signer);
        currency.transfer(address(wallet), amount);
        wallet.approve(address(currency), address(permit2));
        wallet.relax();
        Signed memory terms = order(amount);
        Call[] memory calls = callsOf(terms);
        vm.prank(relayer);
        vm.expectRevert(Permits.EmptySignature.selector);
        proxy.permit2TransferAndMulticall(address(wallet), permitOf(terms), calls, signer, signer, "", "");
        assertEq(currency.balanceOf(address(wallet)), amount);
    }

    function test_attack_noCallMayFail(bool isBatch) external {
        Signed memory terms = order(5);
        Call[] memory calls = callsOf(terms);
        calls[0].allowFailure = true;
        (Permits.Permit3009 memory permit, bytes memory signature) = (sign3009(terms, calls), signBatch(terms, calls));
        vm.expectRevert(abi.encodeWithSelector(Permits.MayNotFail.selector, 0));
        if (isBatch) this.sendBatchFor(signature, terms, calls);
        else this.send3009For(permit, terms, calls);
        assertUntouched();
    }

    function test_attack_leftoversHaveARecipient(bool isBatch) external {
        Signed memory terms = order(5);
        terms.refundTo = address(0);
        Call[] memory calls = callsOf(terms);
        (Permits.Permit3009 memory permit, bytes memory signature) = (sign3009(terms, calls), signBatch(terms, calls));
        vm.expectRevert(Permits.NoRefundRecipient.selector);
        if (isBatch) this.sendBatchFor(signature, terms, calls);
        else this.send3009For(permit, terms, calls);
        assertUntouched();
    }

    function test_oneTransferByEip3009Only() external {
        Signed memory terms = order(5);
        Call[] memory calls = callsOf(terms);
        Permits.Permit3009[] memory two = new Permits.Permit3009[](2);
        (two[0], two[1]) = (sign3009(terms, calls), sign3009(terms, calls));
        vm.startPrank(relayer);
        vm.expectRevert(Permits.OnePermitOnly.selector);
        proxy.permit3009TransferAndMulticall(two, list(address(currency)), calls, signer, signer, "");
        vm.expectRevert(Permits.OnePermitOnly.selector);
        proxy.permit3009TransferAndMulticall(listed(two[0]), new address[](0), calls, signer, signer, "");
    }

    /// A currency of the attacker accepts a signature in the name of a solver's identity.
    function test_attack_aFakeCurrencyUsesNobodysExecutor(address victim) external {
        vm.assume(victim != other);
        FakeCurrency fake = new FakeCurrency();
        Call[] memory calls = list(execute(id, address(0), new Call[](0)));
        Permits.Permit3009 memory permit = Permits.Permit3009(victim, 5, 0, type(uint256).max, 0, 0, 0);
        vm.prank(other);
        proxy.permit3009TransferAndMulticall(listed(permit), list(address(fake)), calls, other, other, "");
        assertEq(router.executorOf(victim, id).code.length, 0, "the victim's run would revert");
        assertGt(router.executorOf(other, id).code.length, 0);
    }

    function tryBatch(address by, bytes calldata signature, Signed calldata terms, Call[] calldata calls) external {
        vm.expectRevert();
        sendBatch(by, signature, terms, calls);
    }

    function try3009(address by, Permits.Permit3009 calldata permit, Signed calldata terms, Call[] calldata calls)
        external
    {
        vm.expectRevert();
        send3009(by, permit, terms, calls);
    }

    function sendBatchFor(bytes calldata signature, Signed calldata terms, Call[] calldata calls) external {
        sendBatch(relayer, signature, terms, calls);
    }

    function send3009For(Permits.Permit3009 calldata permit, Signed calldata terms, Call[] calldata calls) external {
        send3009(relayer, permit, terms, calls);
    }
}
