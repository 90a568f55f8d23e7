-- For a new project in a Kubernetes cluster whose owner wants its tables open to apps at once.

alter role authenticator set pgrst.new_tables = 'granted';
alter default privileges for role plinth_customer in schema public grant all on tables to anon, authenticated;
alter default privileges for role plinth_customer in schema public grant all on sequences to anon, authenticated;
