ALTER TYPE "public"."purpose" ADD VALUE 'permit';--> statement-breakpoint
CREATE TABLE "permits" (
	"request_id" text PRIMARY KEY NOT NULL,
	"chain_id" bigint NOT NULL,
	"relayer" text NOT NULL,
	"allowance_signature" text,
	"signature" text,
	"transaction_id" text,
	"due_at" bigint NOT NULL,
	"version" integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX "permits_due" ON "permits" USING btree ("chain_id","relayer","due_at") WHERE "permits"."signature" is not null;