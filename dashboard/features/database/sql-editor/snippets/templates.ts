/** A text to begin with. `name` is also its name as a query. */
export type Template = { name: string; description: string; sql: string }

/** Single statements. */
export const basics: readonly Template[] = [
  {
    name: 'Create table',
    description: 'A table with a key, a time and row level security.',
    sql: `create table if not exists todos (
  id bigint generated always as identity primary key,
  created_at timestamptz not null default now(),
  task text not null,
  is_done boolean not null default false
);

-- Nobody reads or writes it over the API before there are a grant and a policy.
alter table todos enable row level security;`,
  },
  {
    name: 'Add view',
    description: 'A view that keeps the row level security of the tables below it.',
    sql: `create table if not exists orders (
  id bigint generated always as identity primary key,
  customer text not null,
  total numeric(12, 2) not null
);

-- Without security_invoker a view reads with the rights of its owner.
create or replace view customer_totals
with (security_invoker = true) as
select customer, count(*) as orders, sum(total) as total
from orders
group by customer;`,
  },
  {
    name: 'Add column',
    description: 'A new column with a value for existing rows.',
    sql: `create table if not exists todos (
  id bigint generated always as identity primary key,
  task text not null
);

-- A constant default touches no row, however large the table is.
alter table todos
add column if not exists priority smallint not null default 0;`,
  },
  {
    name: 'Add comments',
    description: 'Comments on a table and its columns, for people and tools.',
    sql: `create table if not exists todos (
  id bigint generated always as identity primary key,
  task text not null
);

comment on table todos is 'What is to be done, one row each';
comment on column todos.task is 'In the words of whoever wants it';`,
  },
  {
    name: 'Show extensions',
    description: 'Extensions that this server offers and that are installed.',
    sql: `select name, installed_version, default_version, comment
from pg_available_extensions
order by installed_version is null, name;`,
  },
  {
    name: 'Show version',
    description: 'The version of Postgres that is running.',
    sql: `select version(), current_setting('server_version_num') as number;`,
  },
  {
    name: 'Show active connections',
    description: 'Shows who is connected, as which role, and what they run.',
    sql: `select pid, usename, application_name, state, wait_event_type,
  now() - query_start as since, left(query, 200) as query
from pg_stat_activity
where datname = current_database()
order by state = 'active' desc, query_start;`,
  },
  {
    name: 'Automatically update timestamps',
    description: 'A trigger that keeps updated_at current.',
    sql: `create table if not exists notes (
  id bigint generated always as identity primary key,
  body text not null,
  updated_at timestamptz not null default now()
);

create or replace function touch_updated_at()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  new.updated_at = now();
  return new;
end;
$$;

create or replace trigger notes_touch_updated_at
before update on notes
for each row execute function touch_updated_at();`,
  },
  {
    name: 'Increment field value',
    description: 'A function that increments without a race condition, called through the API.',
    sql: `create table if not exists pages (
  slug text primary key,
  views bigint not null default 0
);

create or replace function count_view(page text)
returns bigint
language sql
set search_path = ''
as $$
  insert into public.pages as p (slug, views) values (page, 1)
  on conflict (slug) do update set views = p.views + 1
  returning views;
$$;

select count_view('home');`,
  },
  {
    name: 'Large objects',
    description: 'The largest tables, with the size of their indexes and long values.',
    sql: `select n.nspname as schema, c.relname as name,
  pg_size_pretty(pg_table_size(c.oid)) as rows,
  pg_size_pretty(pg_indexes_size(c.oid)) as indexes,
  pg_size_pretty(pg_total_relation_size(c.oid)) as total
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
where c.relkind in ('r', 'm') and n.nspname not in ('pg_catalog', 'information_schema')
order by pg_total_relation_size(c.oid) desc
limit 50;`,
  },
]
