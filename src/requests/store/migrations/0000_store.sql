CREATE TYPE "public"."deposit_status" AS ENUM('seen', 'credited', 'filled', 'settling', 'settled', 'refundable', 'refunded', 'kept');--> statement-breakpoint
CREATE TYPE "public"."relayed_call_status" AS ENUM('queued', 'sent', 'succeeded', 'failed');--> statement-breakpoint
CREATE TYPE "public"."execution" AS ENUM('user', 'solver', 'upstream');--> statement-breakpoint
CREATE TYPE "public"."request_status" AS ENUM('waiting', 'depositing', 'pending', 'submitted', 'success', 'failure', 'refund');--> statement-breakpoint
CREATE TYPE "public"."trade_type" AS ENUM('EXACT_INPUT', 'EXACT_OUTPUT', 'EXPECTED_OUTPUT');--> statement-breakpoint
CREATE TYPE "public"."purpose" AS ENUM('fill', 'refund', 'approval', 'settlement', 'cancellation', 'sweep', 'permit', 'relayedCall');--> statement-breakpoint
CREATE TYPE "public"."solver_transaction_status" AS ENUM('sent', 'mined', 'final', 'reverted');--> statement-breakpoint
CREATE TABLE "chain_cursors" (
	"chain_id" bigint PRIMARY KEY NOT NULL,
	"genesis" text NOT NULL,
	"block_number" bigint NOT NULL,
	"block_hash" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "hints" (
	"hint_id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "hints_hint_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"chain_id" bigint NOT NULL,
	"tx_hash" text NOT NULL,
	"request_id" text,
	"caller" text,
	CONSTRAINT "hints_transaction" UNIQUE("chain_id","tx_hash")
);
--> statement-breakpoint
CREATE TABLE "sweep_hints" (
	"chain_id" bigint NOT NULL,
	"request_id" text NOT NULL,
	CONSTRAINT "sweep_hints_chain_id_request_id_pk" PRIMARY KEY("chain_id","request_id")
);
--> statement-breakpoint
CREATE TABLE "deposits" (
	"deposit_id" text PRIMARY KEY NOT NULL,
	"chain_id" bigint NOT NULL,
	"tx_hash" text NOT NULL,
	"block_number" bigint,
	"block_hash" text,
	"log_index" bigint,
	"timestamp" bigint NOT NULL,
	"order_id" text NOT NULL,
	"request_id" text,
	"depositor" text NOT NULL,
	"currency" text NOT NULL,
	"amount" numeric(78, 0) NOT NULL,
	"record_index" integer,
	"exit_time" bigint,
	"status" "deposit_status" NOT NULL,
	"reason" text,
	"refund_fail_reason" text,
	"refund_tries" integer,
	"refund_due_at" bigint,
	"unpaid" json,
	"exposed_usd" bigint,
	"exposed_height" bigint,
	"owed_app_fees" json,
	"version" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "leases" (
	"duty" text PRIMARY KEY NOT NULL,
	"token" bigint NOT NULL,
	"holder" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "permits" (
	"request_id" text PRIMARY KEY NOT NULL,
	"chain_id" bigint NOT NULL,
	"relayer" text NOT NULL,
	"allowance_signature" text,
	"signature" text,
	"transaction_id" text,
	"due_at" bigint NOT NULL,
	"version" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "relayed_calls" (
	"call_id" text PRIMARY KEY NOT NULL,
	"request_id" text NOT NULL,
	"chain_id" bigint NOT NULL,
	"relayer" text NOT NULL,
	"api_key" text NOT NULL,
	"is_quoted" boolean NOT NULL,
	"call" json NOT NULL,
	"gas" numeric(78, 0) NOT NULL,
	"max_cost" numeric(78, 0) NOT NULL,
	"charged_usd" numeric(78, 0) NOT NULL,
	"status" "relayed_call_status" NOT NULL,
	"fail_reason" text,
	"reason" text,
	"tx_hash" text,
	"due_at" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"version" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "request_changes" (
	"request_id" text NOT NULL,
	"seq" integer NOT NULL,
	"state" json NOT NULL,
	CONSTRAINT "request_changes_request_id_seq_pk" PRIMARY KEY("request_id","seq")
);
--> statement-breakpoint
CREATE TABLE "requests" (
	"request_id" text PRIMARY KEY NOT NULL,
	"order_id" text,
	"execution" "execution" NOT NULL,
	"status" "request_status" DEFAULT 'waiting' NOT NULL,
	"seq" integer DEFAULT 0 NOT NULL,
	"user" text NOT NULL,
	"recipient" text NOT NULL,
	"refund_to" text NOT NULL,
	"origin_chain_id" bigint NOT NULL,
	"destination_chain_id" bigint NOT NULL,
	"origin_currency" text NOT NULL,
	"destination_currency" text NOT NULL,
	"trade_type" "trade_type" NOT NULL,
	"amount_in" numeric(78, 0) NOT NULL,
	"amount_out" numeric(78, 0) NOT NULL,
	"minimum_amount_out" numeric(78, 0) NOT NULL,
	"order" json,
	"inputs" json,
	"gathering" json,
	"deposit_address" text,
	"depositor" text,
	"open_terms" json,
	"parent_id" text,
	"evicted_at" bigint,
	"fill" json,
	"steps" json NOT NULL,
	"referrer" text,
	"referrer_address" text,
	"api_key" text,
	"quota" text,
	"subsidized_usd" numeric NOT NULL,
	"summary" json,
	"upstream" json,
	"upstream_due_at" bigint,
	"created_at" bigint NOT NULL,
	"deadline" bigint NOT NULL,
	"state" json,
	"incomplete" boolean DEFAULT false NOT NULL,
	"version" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "found_logs" (
	"search_id" bigint NOT NULL,
	"block_number" bigint NOT NULL,
	"log_index" integer NOT NULL,
	"topics" text NOT NULL,
	"data" text NOT NULL,
	CONSTRAINT "found_logs_search_id_block_number_log_index_pk" PRIMARY KEY("search_id","block_number","log_index")
);
--> statement-breakpoint
CREATE TABLE "log_searches" (
	"search_id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "log_searches_search_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"chain_id" bigint NOT NULL,
	"genesis" text NOT NULL,
	"address" text NOT NULL,
	"topic" text NOT NULL,
	"first_block" bigint NOT NULL,
	"next_block" bigint NOT NULL,
	"anchor_number" bigint,
	"anchor_hash" text,
	"span" bigint NOT NULL,
	"found" bigint NOT NULL,
	CONSTRAINT "log_searches_key" UNIQUE("chain_id","genesis","address","topic")
);
--> statement-breakpoint
CREATE TABLE "solver_accounts" (
	"chain_id" bigint NOT NULL,
	"account" text NOT NULL,
	"accepted_nonce" bigint NOT NULL,
	"accepted_at" bigint NOT NULL,
	CONSTRAINT "solver_accounts_chain_id_account_pk" PRIMARY KEY("chain_id","account")
);
--> statement-breakpoint
CREATE TABLE "solver_transactions" (
	"transaction_id" text PRIMARY KEY NOT NULL,
	"purpose" "purpose" NOT NULL,
	"chain_id" bigint NOT NULL,
	"account" text NOT NULL,
	"nonce" bigint NOT NULL,
	"request_id" text,
	"deposit_ids" json NOT NULL,
	"spends" json NOT NULL,
	"attempts" json NOT NULL,
	"status" "solver_transaction_status" NOT NULL,
	"mined_hash" text,
	"block_number" bigint,
	"block_hash" text,
	"block_time" bigint,
	"failed_cost" numeric(78, 0),
	"created_at" bigint NOT NULL,
	"version" integer NOT NULL,
	CONSTRAINT "solver_transactions_nonce" UNIQUE("chain_id","account","nonce")
);
--> statement-breakpoint
CREATE TABLE "stopped_assets" (
	"chain_id" bigint NOT NULL,
	"asset" text NOT NULL,
	"stopped_at" bigint NOT NULL,
	"reason" text NOT NULL,
	CONSTRAINT "stopped_assets_chain_id_asset_pk" PRIMARY KEY("chain_id","asset")
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"delivery_id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "webhook_deliveries_delivery_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"request_id" text NOT NULL,
	"seq" integer NOT NULL,
	"api_key" text NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"due_at" bigint NOT NULL,
	CONSTRAINT "webhook_deliveries_change" UNIQUE("request_id","seq")
);
--> statement-breakpoint
CREATE INDEX "deposits_by_request" ON "deposits" USING btree ("request_id");--> statement-breakpoint
CREATE INDEX "deposits_by_status" ON "deposits" USING btree ("chain_id","status","refund_due_at");--> statement-breakpoint
CREATE INDEX "deposits_exposed" ON "deposits" USING btree ("chain_id","exposed_height") WHERE "deposits"."exposed_usd" is not null;--> statement-breakpoint
CREATE INDEX "deposits_refundable" ON "deposits" USING btree ("chain_id","deposit_id") WHERE "deposits"."status" = 'refundable';--> statement-breakpoint
CREATE INDEX "deposits_by_block" ON "deposits" USING btree ("chain_id","block_number");--> statement-breakpoint
CREATE INDEX "permits_due" ON "permits" USING btree ("chain_id","relayer","due_at") WHERE "permits"."signature" is not null;--> statement-breakpoint
CREATE INDEX "relayed_calls_by_request" ON "relayed_calls" USING btree ("request_id");--> statement-breakpoint
CREATE INDEX "relayed_calls_by_key" ON "relayed_calls" USING btree ("api_key","created_at");--> statement-breakpoint
CREATE INDEX "relayed_calls_due" ON "relayed_calls" USING btree ("chain_id","relayer","due_at") WHERE "relayed_calls"."status" in ('queued', 'sent');--> statement-breakpoint
CREATE INDEX "requests_by_order" ON "requests" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "requests_waiting_by_age" ON "requests" USING btree ("created_at") WHERE "requests"."status" = 'waiting';--> statement-breakpoint
CREATE INDEX "requests_waiting_by_user" ON "requests" USING btree ("user","created_at") WHERE "requests"."status" = 'waiting';--> statement-breakpoint
CREATE INDEX "requests_waiting_by_recipient" ON "requests" USING btree ("recipient","created_at") WHERE "requests"."status" = 'waiting' and "requests"."recipient" <> "requests"."user";--> statement-breakpoint
CREATE INDEX "requests_awaiting_swap" ON "requests" USING btree ("origin_chain_id","user","origin_currency","deadline") WHERE "requests"."status" = 'waiting' and "requests"."execution" = 'user';--> statement-breakpoint
CREATE INDEX "requests_awaited_until" ON "requests" USING btree ("origin_chain_id","deadline","user","origin_currency") WHERE "requests"."status" = 'waiting' and "requests"."execution" = 'user';--> statement-breakpoint
CREATE INDEX "requests_open_by_quota" ON "requests" USING btree ("quota","deadline") WHERE "requests"."status" = 'waiting';--> statement-breakpoint
CREATE INDEX "requests_unpaid" ON "requests" USING btree ("deadline") WHERE "requests"."status" = 'waiting' and "requests"."seq" = 0;--> statement-breakpoint
CREATE INDEX "requests_by_status" ON "requests" USING btree ("status","created_at") WHERE "requests"."status" <> 'waiting';--> statement-breakpoint
CREATE INDEX "requests_paid_by_age" ON "requests" USING btree ("created_at") WHERE "requests"."status" <> 'waiting';--> statement-breakpoint
CREATE INDEX "requests_paid_by_user" ON "requests" USING btree ("user","created_at") WHERE "requests"."status" <> 'waiting';--> statement-breakpoint
CREATE INDEX "requests_paid_by_recipient" ON "requests" USING btree ("recipient","created_at") WHERE "requests"."status" <> 'waiting' and "requests"."recipient" <> "requests"."user";--> statement-breakpoint
CREATE INDEX "requests_by_origin" ON "requests" USING btree ("origin_chain_id","created_at") WHERE "requests"."status" <> 'waiting';--> statement-breakpoint
CREATE INDEX "requests_by_destination" ON "requests" USING btree ("destination_chain_id","created_at") WHERE "requests"."status" <> 'waiting';--> statement-breakpoint
CREATE INDEX "requests_by_referrer" ON "requests" USING btree ("referrer","created_at") WHERE "requests"."status" <> 'waiting';--> statement-breakpoint
CREATE INDEX "requests_by_transaction" ON "requests" USING gin ((("state"::jsonb -> 'inTxHashes') || ("state"::jsonb -> 'txHashes'))) WHERE "requests"."seq" > 0;--> statement-breakpoint
CREATE INDEX "requests_upstream_due" ON "requests" USING btree ("upstream_due_at") WHERE "requests"."upstream_due_at" is not null;--> statement-breakpoint
CREATE INDEX "requests_with_deposit_address" ON "requests" USING btree ("deposit_address") WHERE "requests"."deposit_address" is not null and "requests"."parent_id" is null;--> statement-breakpoint
CREATE INDEX "requests_paying_address" ON "requests" USING btree ("deposit_address","created_at") WHERE "requests"."parent_id" is not null;--> statement-breakpoint
CREATE INDEX "requests_by_parent" ON "requests" USING btree ("parent_id","created_at") WHERE "requests"."parent_id" is not null;--> statement-breakpoint
CREATE INDEX "requests_with_live_address" ON "requests" USING btree ((case when "status" in ('success', 'failure', 'refund') then ("state" ->> 'updatedAt')::bigint / 1000 else "deadline" end),"origin_chain_id") WHERE "requests"."deposit_address" is not null and "requests"."parent_id" is null and "requests"."evicted_at" is null;--> statement-breakpoint
CREATE INDEX "requests_with_unpaid_address" ON "requests" USING btree (("quota" collate "C"),"deadline") WHERE "requests"."deposit_address" is not null and "requests"."parent_id" is null and "requests"."evicted_at" is null and "requests"."status" = 'waiting';--> statement-breakpoint
CREATE INDEX "requests_depositing" ON "requests" USING btree ((("gathering" ->> 'until')::bigint)) WHERE "requests"."status" = 'depositing';--> statement-breakpoint
CREATE INDEX "requests_fillable" ON "requests" USING btree ("destination_chain_id","incomplete","request_id") WHERE "requests"."status" = 'pending' and "requests"."execution" = 'solver' and "requests"."state" -> 'refunds' is null;--> statement-breakpoint
CREATE INDEX "requests_open_by_origin" ON "requests" USING btree ("origin_chain_id") WHERE "requests"."status" in ('pending', 'submitted');--> statement-breakpoint
CREATE INDEX "requests_open_by_destination" ON "requests" USING btree ("destination_chain_id") WHERE "requests"."status" in ('pending', 'submitted');--> statement-breakpoint
CREATE INDEX "solver_transactions_by_request" ON "solver_transactions" USING btree ("request_id");--> statement-breakpoint
CREATE INDEX "solver_transactions_by_status" ON "solver_transactions" USING btree ("chain_id","status");--> statement-breakpoint
CREATE INDEX "solver_transactions_by_block" ON "solver_transactions" USING btree ("chain_id","block_number");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_by_due_time" ON "webhook_deliveries" USING btree ("api_key","due_at");--> statement-breakpoint
ALTER TABLE "requests" SET (toast_tuple_target = 8160);
