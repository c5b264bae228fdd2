DROP INDEX "requests_with_live_address";--> statement-breakpoint
ALTER TABLE "requests" ADD COLUMN "open_terms" json;--> statement-breakpoint
ALTER TABLE "requests" ADD COLUMN "parent_id" text;--> statement-breakpoint
CREATE INDEX "requests_by_parent" ON "requests" USING btree ("parent_id") WHERE "requests"."parent_id" is not null;--> statement-breakpoint
CREATE INDEX "requests_with_live_address" ON "requests" USING btree ((case when "status" in ('success', 'failure', 'refund') then ("state" ->> 'updatedAt')::bigint / 1000 else "deadline" end),"origin_chain_id") WHERE "requests"."deposit_address" is not null and "requests"."parent_id" is null;