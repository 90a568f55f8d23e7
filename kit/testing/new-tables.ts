/**
 * For a project whose new tables are granted at once, as they are in one of an earlier version: tests about something else
 * need no GRANT and no policy for each of their tables.
 */
export const newTablesGranted = `alter role authenticator set pgrst.new_tables = 'granted';
  alter default privileges in schema public grant all on tables to anon, authenticated;
  alter default privileges in schema public grant all on sequences to anon, authenticated;`
