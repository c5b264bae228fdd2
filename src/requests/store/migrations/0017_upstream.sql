ALTER TYPE "public"."execution" ADD VALUE 'upstream';--> statement-breakpoint
ALTER TABLE "requests" ADD COLUMN "upstream" json;--> statement-breakpoint
ALTER TABLE "requests" ADD COLUMN "upstream_due_at" bigint;--> statement-breakpoint
CREATE INDEX "requests_upstream_due" ON "requests" USING btree ("upstream_due_at") WHERE "requests"."upstream_due_at" is not null;