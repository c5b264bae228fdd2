ALTER TABLE "requests" ADD COLUMN "summary" json;--> statement-breakpoint
ALTER TABLE "solver_transactions" ADD COLUMN "block_time" bigint;--> statement-breakpoint
CREATE INDEX "requests_by_recipient" ON "requests" USING btree ("recipient","created_at") WHERE "requests"."recipient" <> "requests"."user";--> statement-breakpoint
CREATE INDEX "requests_by_origin" ON "requests" USING btree ("origin_chain_id","created_at") WHERE "requests"."status" <> 'waiting';--> statement-breakpoint
CREATE INDEX "requests_by_destination" ON "requests" USING btree ("destination_chain_id","created_at") WHERE "requests"."status" <> 'waiting';--> statement-breakpoint
CREATE INDEX "requests_by_referrer" ON "requests" USING btree ("referrer","created_at") WHERE "requests"."status" <> 'waiting';--> statement-breakpoint
CREATE INDEX "requests_by_transaction" ON "requests" USING gin ((("state"::jsonb -> 'inTxHashes') || ("state"::jsonb -> 'txHashes'))) WHERE "requests"."seq" > 0;