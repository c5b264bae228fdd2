ALTER TABLE "requests" ADD COLUMN "quota" text;--> statement-breakpoint
CREATE INDEX "requests_open_by_quota" ON "requests" USING btree ("quota","deadline") WHERE "requests"."status" = 'waiting';