CREATE TYPE "public"."deposit_status" AS ENUM('seen', 'credited', 'filled', 'settling', 'settled', 'refundable', 'refunded', 'kept');--> statement-breakpoint
CREATE TYPE "public"."purpose" AS ENUM('fill', 'refund', 'approval', 'settlement', 'cancellation');--> statement-breakpoint
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
	CONSTRAINT "hints_transaction" UNIQUE("chain_id","tx_hash")
);
--> statement-breakpoint
CREATE TABLE "deposits" (
	"deposit_id" text PRIMARY KEY NOT NULL,
	"chain_id" bigint NOT NULL,
	"tx_hash" text NOT NULL,
	"block_number" bigint,
	"block_hash" text,
	"timestamp" bigint NOT NULL,
	"order_id" text NOT NULL,
	"request_id" text,
	"depositor" text NOT NULL,
	"currency" text NOT NULL,
	"amount" numeric(78, 0) NOT NULL,
	"status" "deposit_status" NOT NULL,
	"reason" text,
	"refund_fail_reason" text,
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
	"created_at" bigint NOT NULL,
	"version" integer NOT NULL,
	CONSTRAINT "solver_transactions_nonce" UNIQUE("chain_id","account","nonce")
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
-- Quoted before there was a solver: nobody can fill them, nor say what that would have taken.
DELETE FROM "requests" WHERE "execution" = 'solver';--> statement-breakpoint
DROP INDEX "requests_by_origin_chain";--> statement-breakpoint
DROP INDEX "requests_by_status";--> statement-breakpoint
ALTER TABLE "requests" ADD COLUMN "fill" json;--> statement-breakpoint
ALTER TABLE "requests" ADD COLUMN "state" json;--> statement-breakpoint
ALTER TABLE "requests" ADD COLUMN "funding_deposit_id" text;--> statement-breakpoint
ALTER TABLE "requests" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
CREATE INDEX "deposits_by_request" ON "deposits" USING btree ("request_id");--> statement-breakpoint
CREATE INDEX "deposits_by_status" ON "deposits" USING btree ("chain_id","status");--> statement-breakpoint
CREATE INDEX "deposits_by_block" ON "deposits" USING btree ("chain_id","block_number");--> statement-breakpoint
CREATE INDEX "solver_transactions_by_request" ON "solver_transactions" USING btree ("request_id");--> statement-breakpoint
CREATE INDEX "solver_transactions_by_status" ON "solver_transactions" USING btree ("chain_id","status");--> statement-breakpoint
CREATE INDEX "solver_transactions_by_block" ON "solver_transactions" USING btree ("chain_id","block_number");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_by_due_time" ON "webhook_deliveries" USING btree ("api_key","due_at");--> statement-breakpoint
CREATE INDEX "requests_by_age" ON "requests" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "requests_open_by_origin" ON "requests" USING btree ("origin_chain_id") WHERE "requests"."status" in ('pending', 'submitted');--> statement-breakpoint
CREATE INDEX "requests_open_by_destination" ON "requests" USING btree ("destination_chain_id") WHERE "requests"."status" in ('pending', 'submitted');--> statement-breakpoint
CREATE INDEX "requests_by_status" ON "requests" USING btree ("status","created_at") WHERE "requests"."status" <> 'waiting';