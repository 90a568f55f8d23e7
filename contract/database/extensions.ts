export const extensionTags = [
  'Admin',
  'AI',
  'Audit',
  'Cryptography',
  'Data Type',
  'Dataset',
  'Geo',
  'Index',
  'Language',
  'Notifications',
  'Search',
  'Testing',
  'Time Series',
  'Utility',
] as const

/** One entry of the catalogue (requirements, "Extension catalogue entry"). What a server really has is asked of it. */
export type CatalogueEntry = {
  name: string
  comment: string
  tags: string[]
  /** Its documentation. */
  link: string
  github_url: string | null
  /** The part of the product that it is for, and that part's page; `{ref}` stands for the project. */
  product: string | null
  product_url: string | null
  /** Versions of the server that no longer have it. */
  deprecated: string[]
}

function parse(line: string): CatalogueEntry {
  const [name = '', comment = '', tags = '', link = '', github, product, url, deprecated] = line
    .split('|')
    .map((cell) => cell.trim())
  return {
    name,
    comment,
    tags: tags.split(', '),
    link,
    github_url: github || null,
    product: product || null,
    product_url: url || null,
    deprecated: deprecated ? [deprecated] : [],
  }
}

// name | comment | tags | link | github_url | product | product_url | deprecated
const table = `
address_standardizer | Used to parse an address into constituent elements. Generally used to support geocoding address normalization step. | Utility | https://postgis.net/docs/manual-2.5/Address_Standardizer.html
address_standardizer_data_us | Address Standardizer US dataset example | Dataset | https://postgis.net/docs/manual-2.5/Address_Standardizer.html
amcheck | functions for verifying relation integrity | Admin, Utility | https://www.postgresql.org/docs/current/amcheck.html
autoinc | functions for autoincrementing fields | Utility | https://www.postgresql.org/docs/current/contrib-spi.html#id-1.11.7.50.6
bloom | bloom access method - signature file based index | Index | https://www.postgresql.org/docs/current/bloom.html
btree_gin | support for indexing common datatypes in GIN | Index | https://www.postgresql.org/docs/current/btree-gin.html
btree_gist | support for indexing common datatypes in GiST | Index | https://www.postgresql.org/docs/current/btree-gist.html
citext | data type for case-insensitive character strings | Data Type | https://www.postgresql.org/docs/current/citext.html
cube | data type for multidimensional cubes | Data Type | https://www.postgresql.org/docs/current/cube.html
dblink | connect to other PostgreSQL databases from within a database | Admin, Utility | https://www.postgresql.org/docs/current/contrib-dblink-function.html
dict_int | text search dictionary template for integers | Search | https://www.postgresql.org/docs/current/dict-int.html
dict_xsyn | text search dictionary template for extended synonym processing | Search | https://www.postgresql.org/docs/current/dict-xsyn.html
earthdistance | calculate great-circle distances on the surface of the Earth | Geo, Utility | https://www.postgresql.org/docs/current/earthdistance.html
fuzzystrmatch | determine similarities and distance between strings | Search | https://www.postgresql.org/docs/current/fuzzystrmatch.html
hstore | data type for storing sets of (key, value) pairs | Data Type | https://www.postgresql.org/docs/current/hstore.html
hypopg | Hypothetical indexes for PostgreSQL | Admin, Index | https://hypopg.readthedocs.io
http | HTTP client for PostgreSQL, allows web page retrieval inside the database. | Utility | https://github.com/pramsey/pgsql-http
insert_username | functions for tracking who changed a table | Audit, Utility | https://www.postgresql.org/docs/current/contrib-spi.html#id-1.11.7.50.7
old_snapshot | utilities in support of old_snapshot_threshold | Admin, Utility | https://www.postgresql.org/docs/current/oldsnapshot.html
index_advisor | optimize query performance with automatic index recommendation | Utility | https://github.com/supabase/index_advisor | https://github.com/supabase/index_advisor | Index Advisor Report | /project/{ref}/advisors/query-performance
intarray | functions, operators, and index support for 1-D arrays of integers | Utility | https://www.postgresql.org/docs/current/intarray.html
isn | data types for international product numbering standards | Data Type | https://www.postgresql.org/docs/current/isn.html
lo | Large Object maintenance | Data Type | https://www.postgresql.org/docs/current/lo.html
ltree | data type for hierarchical tree-like structures | Data Type | https://www.postgresql.org/docs/current/ltree.html
moddatetime | functions for tracking last modification time | Audit, Utility | https://www.postgresql.org/docs/current/contrib-spi.html#id-1.11.7.50.8
pg_cron | Job scheduler for PostgreSQL | Utility | https://github.com/citusdata/pg_cron | https://github.com/citusdata/pg_cron | Cron | /project/{ref}/integrations/cron
pg_freespacemap | examine the free space map (FSM) | Admin, Utility | https://www.postgresql.org/docs/current/pgfreespacemap.html
pg_graphql | pg_graphql: GraphQL support | Utility | https://supabase.github.io/pg_graphql/ | https://github.com/supabase/pg_graphql | GraphiQL | /project/{ref}/api/graphiql
pg_hashids | pg_hashids | Utility | https://github.com/iCyberon/pg_hashids
pg_jsonschema | pg_jsonschema | Utility | https://github.com/supabase/pg_jsonschema
pg_net | Async HTTP | Utility, Notifications | https://supabase.github.io/pg_net/ | https://github.com/supabase/pg_net | Database Webhooks | /project/{ref}/database/hooks
pg_prewarm | prewarm relation data | Admin, Utility | https://www.postgresql.org/docs/current/pgprewarm.html
pg_stat_statements | track execution statistics of all SQL statements executed | Admin, Utility | https://www.postgresql.org/docs/current/pgstatstatements.html |  | Query Performance | /project/{ref}/advisors/query-performance
pg_surgery | extension to perform surgery on a damaged relation | Admin, Utility | https://www.postgresql.org/docs/current/pgsurgery.html
pg_trgm | text similarity measurement and index searching based on trigrams | Search | https://www.postgresql.org/docs/current/pgtrgm.html
pgaudit | provides auditing functionality | Audit, Utility | https://github.com/pgaudit/pgaudit
pg_walinspect | functions to inspect contents of PostgreSQL Write-Ahead Log | Admin, Utility | https://www.postgresql.org/docs/current/pgwalinspect.html
pgcrypto | cryptographic functions | Utility, Cryptography | https://www.postgresql.org/docs/current/pgcrypto.html
pgjwt | JSON Web Token API for Postgresql | Utility, Cryptography | https://github.com/michelp/pgjwt | https://github.com/michelp/pgjwt |  |  | Postgres 17
pgroonga | Super fast and all languages supported full text search index based on Groonga | Search | https://pgroonga.github.io/
pgroonga_database | PGroonga database management module | Admin | https://pgroonga.github.io/reference/modules/pgroonga-database.html
pgrouting | pgRouting Extension | Geo, Utility | https://pgrouting.org/
pgrowlocks | show row-level locking information | Admin, Utility | https://www.postgresql.org/docs/current/pgrowlocks.html
pgsodium | Postgres extension for libsodium functions | Utility, Cryptography | https://github.com/michelp/pgsodium | https://github.com/michelp/pgsodium | Vault | /project/{ref}/settings/vault/secrets
pgstattuple | show tuple-level statistics | Admin, Utility | https://www.postgresql.org/docs/current/pgstattuple.html
pgtap | Unit testing for PostgreSQL | Utility, Testing | https://pgtap.org/
plcoffee | PL/CoffeeScript (v8) trusted procedural language | Language | https://github.com/plv8/plv8/blob/master/doc/plv8.md#coffeescript-extension |  |  |  | Postgres 17
pljava | PL/Java procedural language (https://tada.github.io/pljava/) | Language | https://tada.github.io/pljava/
plls | PL/LiveScript (v8) trusted procedural language | Language | https://github.com/plv8/plv8/blob/master/doc/plv8.md#livescript-extension |  |  |  | Postgres 17
plpgsql | PL/pgSQL procedural language | Language | https://www.postgresql.org/docs/current/plpgsql.html
plpgsql_check | extended check for plpgsql functions | Utility, Testing | https://github.com/okbob/plpgsql_check
plv8 | PL/JavaScript (v8) trusted procedural language | Language | https://plv8.github.io/ |  |  |  | Postgres 17
postgis | PostGIS geometry and geography spatial types and functions | Geo | https://postgis.net/
postgres_fdw | foreign-data wrapper for remote PostgreSQL servers | Admin | https://www.postgresql.org/docs/current/postgres-fdw.html
refint | functions for implementing referential integrity (obsolete) | Utility | https://www.postgresql.org/docs/current/contrib-spi.html#id-1.11.7.50.5
rum | GIN-like index for text search | Index, Search | https://github.com/postgrespro/rum
seg | data type for representing line segments or floating-point intervals | Utility | https://www.postgresql.org/docs/current/seg.html
sslinfo | information about SSL certificates | Admin, Utility | https://www.postgresql.org/docs/current/sslinfo.html
tablefunc | functions that manipulate whole tables, including crosstab | Utility | https://www.postgresql.org/docs/current/tablefunc.html
tcn | Triggered change notifications | Utility, Notifications | https://www.postgresql.org/docs/current/tcn.html
timescaledb | Enables scalable inserts and complex queries for time-series data | Time Series, Data Type, Utility | https://github.com/timescale/timescaledb |  |  |  | Postgres 17
tsm_system_rows | TABLESAMPLE method which accepts number of rows as a limit | Utility | https://www.postgresql.org/docs/current/tsm-system-rows.html
tsm_system_time | TABLESAMPLE method which accepts time in milliseconds as a limit | Utility | https://www.postgresql.org/docs/current/tsm-system-time.html
unaccent | text search dictionary that removes accents | Search | https://www.postgresql.org/docs/current/unaccent.html
uuid-ossp | generate universally unique identifiers (UUIDs) | Utility, Data Type | https://www.postgresql.org/docs/current/uuid-ossp.html
vector | vector data type with similarity search | AI, Data Type, Search | https://github.com/pgvector/pgvector | https://github.com/pgvector/pgvector | Vector
pg_repack | Optimize physical storage and remove bloat from tables and indexes | Admin, Utility | https://reorg.github.io/pg_repack/
wrappers | Foreign data wrappers developed by Plinth | Admin, Utility | https://supabase.github.io/wrappers/ | https://github.com/supabase/wrappers | Wrappers | /project/{ref}/database/wrappers
pgmq | A lightweight message queue | Utility | https://github.com/pgmq/pgmq | https://github.com/pgmq/pgmq | Queues | /project/{ref}/integrations/queues
supabase_vault | Keeps secrets encrypted in a table | Utility, Cryptography | https://github.com/supabase/vault | https://github.com/supabase/vault | Vault | /project/{ref}/settings/vault/secrets
pg_partman | Makes and removes partitions by time or number | Admin, Utility | https://github.com/pgpartman/pg_partman | https://github.com/pgpartman/pg_partman
pg_tle | Extensions made of trusted languages only | Admin, Utility | https://github.com/aws/pg_tle | https://github.com/aws/pg_tle
`

/** Extensions that people look for (facts §6), whether this server has them or not. */
export const extensionCatalogue: readonly CatalogueEntry[] = table.trim().split('\n').map(parse)
