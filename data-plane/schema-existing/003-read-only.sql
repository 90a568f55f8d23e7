-- Runs after the tables of the services are made: members who may only read see what the owner makes, and not who the owner's users
-- are. A database of before had these default privileges while the tables of the auth service were made.
revoke all on all tables in schema auth from plinth_read_only;
revoke all on all sequences in schema auth from plinth_read_only;

alter default privileges grant usage on schemas to plinth_read_only;
alter default privileges grant select on tables to plinth_read_only;
alter default privileges grant select on sequences to plinth_read_only;
