DROP INDEX "requests_by_user";--> statement-breakpoint
DROP INDEX "requests_by_age";--> statement-breakpoint
DROP INDEX "requests_by_recipient";--> statement-breakpoint
DROP INDEX "requests_by_deposit_address";--> statement-breakpoint
DROP INDEX "requests_by_parent";--> statement-breakpoint
CREATE INDEX "requests_waiting_by_age" ON "requests" USING btree ("created_at") WHERE "requests"."status" = 'waiting';--> statement-breakpoint
CREATE INDEX "requests_waiting_by_user" ON "requests" USING btree ("user","created_at") WHERE "requests"."status" = 'waiting';--> statement-breakpoint
CREATE INDEX "requests_waiting_by_recipient" ON "requests" USING btree ("recipient","created_at") WHERE "requests"."status" = 'waiting' and "requests"."recipient" <> "requests"."user";--> statement-breakpoint
CREATE INDEX "requests_paid_by_age" ON "requests" USING btree ("created_at") WHERE "requests"."status" <> 'waiting';--> statement-breakpoint
CREATE INDEX "requests_paid_by_user" ON "requests" USING btree ("user","created_at") WHERE "requests"."status" <> 'waiting';--> statement-breakpoint
CREATE INDEX "requests_paid_by_recipient" ON "requests" USING btree ("recipient","created_at") WHERE "requests"."status" <> 'waiting' and "requests"."recipient" <> "requests"."user";--> statement-breakpoint
CREATE INDEX "requests_with_deposit_address" ON "requests" USING btree ("deposit_address") WHERE "requests"."deposit_address" is not null and "requests"."parent_id" is null;--> statement-breakpoint
CREATE INDEX "requests_paying_address" ON "requests" USING btree ("deposit_address","created_at") WHERE "requests"."parent_id" is not null;--> statement-breakpoint
CREATE INDEX "requests_by_parent" ON "requests" USING btree ("parent_id","created_at") WHERE "requests"."parent_id" is not null;