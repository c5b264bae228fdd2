ALTER TABLE "deposits" ADD COLUMN "record_index" integer;--> statement-breakpoint
ALTER TABLE "deposits" ADD COLUMN "exit_time" bigint;