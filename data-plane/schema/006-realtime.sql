-- Tables whose changes clients may listen to. The customer adds tables to it.
create publication supabase_realtime;
alter publication supabase_realtime owner to postgres;
