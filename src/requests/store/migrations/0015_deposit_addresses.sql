ALTER TYPE "public"."purpose" ADD VALUE 'sweep';--> statement-breakpoint
CREATE TABLE "sweep_hints" (
	"chain_id" bigint NOT NULL,
	"request_id" text NOT NULL,
	CONSTRAINT "sweep_hints_chain_id_request_id_pk" PRIMARY KEY("chain_id","request_id")
);
--> statement-breakpoint
ALTER TABLE "requests" ADD COLUMN "deposit_address" text;--> statement-breakpoint
ALTER TABLE "requests" ADD COLUMN "depositor" text;--> statement-breakpoint
CREATE INDEX "requests_by_deposit_address" ON "requests" USING btree ("deposit_address") WHERE "requests"."deposit_address" is not null;--> statement-breakpoint
CREATE INDEX "requests_with_live_address" ON "requests" USING btree ((case when "status" in ('success', 'failure', 'refund') then ("state" ->> 'updatedAt')::bigint / 1000 else "deadline" end),"origin_chain_id") WHERE "requests"."deposit_address" is not null;