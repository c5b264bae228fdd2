CREATE TABLE "solver_accounts" (
	"chain_id" bigint NOT NULL,
	"account" text NOT NULL,
	"accepted_nonce" bigint NOT NULL,
	"accepted_at" bigint NOT NULL,
	CONSTRAINT "solver_accounts_chain_id_account_pk" PRIMARY KEY("chain_id","account")
);
