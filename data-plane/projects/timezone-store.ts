/**
 * The time zone of the database as a scalar in SQL, whenever the session that asks began: a session keeps the one that it was
 * given at its start.
 */
export const databaseTimezone = `coalesce(
  (select split_part(setting, '=', 2) from pg_db_role_setting s, unnest(s.setconfig) setting
   where s.setrole = 0 and s.setdatabase = (select oid from pg_database where datname = current_database())
     and setting ilike 'timezone=%'),
  (select reset_val from pg_settings where name = 'TimeZone'))`
