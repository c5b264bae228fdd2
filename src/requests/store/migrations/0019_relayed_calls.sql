CREATE TYPE "public"."relayed_call_status" AS ENUM('queued', 'sent', 'succeeded', 'failed');--> statement-breakpoint
ALTER TYPE "public"."purpose" ADD VALUE 'relayedCall';--> statement-breakpoint
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
CREATE INDEX "relayed_calls_by_request" ON "relayed_calls" USING btree ("request_id");--> statement-breakpoint
CREATE INDEX "relayed_calls_by_key" ON "relayed_calls" USING btree ("api_key","created_at");--> statement-breakpoint
CREATE INDEX "relayed_calls_due" ON "relayed_calls" USING btree ("chain_id","relayer","due_at") WHERE "relayed_calls"."status" in ('queued', 'sent');