-- A new project whose owner wants its tables open to apps at once. Run as the superuser before anybody has entered it.

alter role authenticator set pgrst.new_tables = 'granted';
alter default privileges for role postgres in schema public grant all on tables to anon, authenticated;
alter default privileges for role postgres in schema public grant all on sequences to anon, authenticated;
alter default privileges for role supabase_admin in schema public grant all on tables to anon, authenticated;
alter default privileges for role supabase_admin in schema public grant all on sequences to anon, authenticated;
