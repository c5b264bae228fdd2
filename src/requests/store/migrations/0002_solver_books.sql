CREATE TABLE "book_days" (
	"chain_id" bigint NOT NULL,
	"day" integer NOT NULL,
	"purpose" "purpose" NOT NULL,
	"transactions" bigint NOT NULL,
	"gas" numeric(78, 0) NOT NULL,
	"gas_usd" numeric(78, 0) NOT NULL,
	"gas_unknown" bigint NOT NULL,
	"volume_usd" numeric(78, 0) NOT NULL,
	"volume_unknown" bigint NOT NULL,
	"fees_usd" numeric(78, 0) NOT NULL,
	"fees_unknown" bigint NOT NULL,
	"sponsored_usd" numeric(78, 0) NOT NULL,
	CONSTRAINT "book_days_chain_id_day_purpose_pk" PRIMARY KEY("chain_id","day","purpose")
);
--> statement-breakpoint
ALTER TABLE "solver_transactions" ADD COLUMN "booked" json;--> statement-breakpoint
CREATE INDEX "solver_transactions_unbooked" ON "solver_transactions" USING btree ("chain_id","created_at") WHERE "solver_transactions"."status" in ('final', 'reverted') and "solver_transactions"."booked" is null;