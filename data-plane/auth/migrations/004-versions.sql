-- What a new set of users is made of, for whoever asks. Rows are not written again by an upgrade, which runs as the superuser
-- in databases whose owners may have put anything behind a table.
insert into auth.schema_migrations (version) values ('0001_start'), ('0002_external'), ('0003_identity')
on conflict do nothing;
