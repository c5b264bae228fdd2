ALTER TABLE "requests" ADD COLUMN "inputs" json;--> statement-breakpoint
ALTER TABLE "requests" ADD COLUMN "gathering" json;--> statement-breakpoint
-- What was quoted before has one input, of which the deposit is all that is ordered.
UPDATE "requests" SET "inputs" = json_build_array(json_build_object(
	'chainId', "origin_chain_id",
	'user', "user",
	'refundTo', "refund_to",
	'currency', "origin_currency",
	'amount', "amount_in"::text,
	'depositCurrency', "deposit_currency",
	'depositAmount', "deposit_amount"::text,
	'leastDeposit', "deposit_amount"::text,
	'payoutAmount', "fill" ->> 'payoutAmount'
)) WHERE "execution" = 'solver';--> statement-breakpoint
-- The changes first: they need the column that goes.
UPDATE "request_changes" SET "state" = ("request_changes"."state"::jsonb - 'refund'
	|| jsonb_build_object('fundings', CASE
		WHEN "requests"."execution" = 'user' THEN '[]'::jsonb
		WHEN "funding_deposit_id" IS NULL OR "request_changes"."state" ->> 'status' = 'waiting' THEN '[{"status": "open"}]'::jsonb
		ELSE jsonb_build_array(jsonb_build_object('status', 'funded', 'depositId', "funding_deposit_id"))
	END)
	|| CASE WHEN "request_changes"."state" -> 'refund' IS NULL THEN '{}'::jsonb
		ELSE jsonb_build_object('refunds', jsonb_build_array("request_changes"."state"::jsonb -> 'refund'))
	END)::json
FROM "requests" WHERE "requests"."request_id" = "request_changes"."request_id";--> statement-breakpoint
UPDATE "requests" SET "state" = ("state"::jsonb - 'refund'
	|| jsonb_build_object('fundings', CASE
		WHEN "execution" = 'user' THEN '[]'::jsonb
		WHEN "funding_deposit_id" IS NULL THEN '[{"status": "open"}]'::jsonb
		ELSE jsonb_build_array(jsonb_build_object('status', 'funded', 'depositId', "funding_deposit_id"))
	END)
	|| CASE WHEN "state" -> 'refund' IS NULL THEN '{}'::jsonb
		ELSE jsonb_build_object('refunds', jsonb_build_array("state"::jsonb -> 'refund'))
	END)::json
WHERE "state" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "requests" DROP COLUMN "deposit_currency";--> statement-breakpoint
ALTER TABLE "requests" DROP COLUMN "deposit_amount";--> statement-breakpoint
ALTER TABLE "requests" DROP COLUMN "funding_deposit_id";--> statement-breakpoint
CREATE INDEX "requests_depositing" ON "requests" USING btree ((("gathering" ->> 'until')::bigint)) WHERE "requests"."status" = 'depositing';
