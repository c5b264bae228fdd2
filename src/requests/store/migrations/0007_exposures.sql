ALTER TABLE "deposits" ADD COLUMN "exposed_usd" bigint;--> statement-breakpoint
ALTER TABLE "deposits" ADD COLUMN "exposed_height" bigint;--> statement-breakpoint
CREATE INDEX "deposits_exposed" ON "deposits" USING btree ("chain_id","exposed_height") WHERE "deposits"."exposed_usd" is not null;