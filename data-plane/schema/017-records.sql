-- The records of what a project was given are the superuser's (kit/postgres/migrations.ts), and part of a database that its owner
-- dumps. Where nobody keeps records there are none. All of this can run again.

do $$
begin
  if to_regclass('extensions.plinth_migrations') is not null then
    grant select on extensions.plinth_migrations to postgres;
  end if;
end
$$;
