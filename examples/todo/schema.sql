create table todos (
  id bigint generated always as identity primary key,
  owner uuid not null default auth.uid() references auth.users (id) on delete cascade,
  title text not null check (length(title) between 1 and 200),
  done boolean not null default false,
  created_at timestamptz not null default now()
);
create index on todos (owner, created_at);

-- Whoever is signed in reaches the table, and sees and changes rows of their own only.
alter table todos enable row level security;
grant select, insert, update, delete on todos to authenticated;
create policy "People manage their own todos" on todos for all to authenticated
  using (owner = (select auth.uid())) with check (owner = (select auth.uid()));

-- Changes reach the page as they happen; policies hold for them too.
alter publication supabase_realtime add table todos;
