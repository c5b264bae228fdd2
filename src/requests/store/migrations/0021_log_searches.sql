CREATE TABLE "found_logs" (
	"search_id" bigint NOT NULL,
	"block_number" bigint NOT NULL,
	"log_index" integer NOT NULL,
	"topics" text NOT NULL,
	"data" text NOT NULL,
	CONSTRAINT "found_logs_search_id_block_number_log_index_pk" PRIMARY KEY("search_id","block_number","log_index")
);
--> statement-breakpoint
CREATE TABLE "log_searches" (
	"search_id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "log_searches_search_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"chain_id" bigint NOT NULL,
	"genesis" text NOT NULL,
	"address" text NOT NULL,
	"topic" text NOT NULL,
	"first_block" bigint NOT NULL,
	"next_block" bigint NOT NULL,
	"anchor_number" bigint,
	"anchor_hash" text,
	"span" bigint NOT NULL,
	"found" bigint NOT NULL,
	CONSTRAINT "log_searches_key" UNIQUE("chain_id","genesis","address","topic")
);
