CREATE TYPE "public"."execution" AS ENUM('user', 'solver');--> statement-breakpoint
CREATE TYPE "public"."request_status" AS ENUM('waiting', 'depositing', 'pending', 'submitted', 'success', 'failure', 'refund');--> statement-breakpoint
CREATE TYPE "public"."trade_type" AS ENUM('EXACT_INPUT', 'EXACT_OUTPUT', 'EXPECTED_OUTPUT');--> statement-breakpoint
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
	"deposit_currency" text,
	"deposit_amount" numeric(78, 0),
	"order" json,
	"steps" json NOT NULL,
	"referrer" text,
	"referrer_address" text,
	"api_key" text,
	"subsidized_usd" numeric NOT NULL,
	"created_at" bigint NOT NULL,
	"deadline" bigint NOT NULL
);
--> statement-breakpoint
CREATE INDEX "requests_by_order" ON "requests" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "requests_by_user" ON "requests" USING btree ("user","created_at");--> statement-breakpoint
CREATE INDEX "requests_by_status" ON "requests" USING btree ("status");--> statement-breakpoint
CREATE INDEX "requests_by_origin_chain" ON "requests" USING btree ("origin_chain_id","status");--> statement-breakpoint
-- A row is about 4 kB, and one page: to compress it for less takes a third of the time of its insert.
ALTER TABLE "requests" SET (toast_tuple_target = 8160);
