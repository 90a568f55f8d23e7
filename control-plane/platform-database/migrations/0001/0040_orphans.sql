-- What was found in the world that no row knows, perhaps because the platform database is older than it. It is kept until
-- the operator adopts it or has it removed; a row here goes once that is so.

create table platform.orphans (
  kind text not null check (kind in ('project', 'backup')),
  ref text not null,
  -- Which one of the project's: the id of a backup. A project itself has none.
  name text not null default '',
  -- What there is of a project: stopped, running, absent (what an unfinished creation left), unknown. Empty for others.
  state text not null default '',
  found_at timestamptz not null default now(),
  primary key (kind, ref, name)
);
