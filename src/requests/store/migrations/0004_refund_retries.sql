DROP INDEX "deposits_by_status";--> statement-breakpoint
ALTER TABLE "deposits" ADD COLUMN "refund_tries" integer;--> statement-breakpoint
ALTER TABLE "deposits" ADD COLUMN "refund_due_at" bigint;--> statement-breakpoint
CREATE INDEX "deposits_by_status" ON "deposits" USING btree ("chain_id","status","refund_due_at");