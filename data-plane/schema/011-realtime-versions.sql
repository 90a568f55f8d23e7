-- What a project's realtime is made of, for whoever asks; see data-plane/auth/versions.sql.
insert into realtime.schema_migrations (version) values (1), (2) on conflict do nothing;
