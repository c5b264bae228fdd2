CREATE TABLE "leases" (
	"duty" text PRIMARY KEY NOT NULL,
	"token" bigint NOT NULL,
	"holder" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
