CREATE TABLE "stopped_assets" (
	"chain_id" bigint NOT NULL,
	"asset" text NOT NULL,
	"stopped_at" bigint NOT NULL,
	"reason" text NOT NULL,
	CONSTRAINT "stopped_assets_chain_id_asset_pk" PRIMARY KEY("chain_id","asset")
);
