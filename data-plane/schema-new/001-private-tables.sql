-- What a new project chooses that one of an earlier version did not: its tables are private until they are granted.
-- Servers of the owner's own go on reaching them, by the role service_role.

alter role authenticator set pgrst.new_tables = 'private';
alter default privileges for role postgres in schema public revoke all on tables from anon, authenticated;
alter default privileges for role postgres in schema public revoke all on sequences from anon, authenticated;
alter default privileges for role supabase_admin in schema public revoke all on tables from anon, authenticated;
alter default privileges for role supabase_admin in schema public revoke all on sequences from anon, authenticated;
