-- The owner says how the data API works: alter role authenticator set pgrst.db_schemas = 'public, app'.
-- Postgres lets nobody but a superuser set what it does not know itself, unless it is granted by name.

grant set on parameter
  pgrst.db_schemas,
  pgrst.db_extra_search_path,
  pgrst.db_max_rows,
  pgrst.db_pool,
  pgrst.db_pre_request,
  pgrst.db_tx_end,
  pgrst.db_aggregates_enabled,
  pgrst.db_plan_enabled,
  pgrst.db_root_spec,
  pgrst.jwt_aud,
  pgrst.openapi_mode,
  pgrst.openapi_server_proxy_uri,
  pgrst.openapi_security_active,
  pgrst.server_timing_enabled,
  pgrst.new_tables,
  pgrst.rate_limit,
  pgrst.graphql_introspection,
  pgrst.graphql_max_depth,
  pgrst.graphql_max_rows
to postgres;
