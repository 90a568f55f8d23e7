import type { Template } from './templates.ts'

export const quickstarts: readonly Template[] = [
  {
    name: 'Colors',
    description: 'A small table with sample rows.',
    sql: `create table if not exists colors (
  id bigint generated always as identity primary key,
  name text not null unique,
  hex text not null check (hex ~ '^#[0-9a-f]{6}$'),
  red smallint not null,
  green smallint not null,
  blue smallint not null
);
alter table colors enable row level security;
grant select on colors to anon, authenticated;
drop policy if exists "Everybody reads colors" on colors;
create policy "Everybody reads colors" on colors for select using (true);

insert into colors (name, hex, red, green, blue) values
  ('Slate', '#64748b', 100, 116, 139),
  ('Moss', '#65a30d', 101, 163, 13),
  ('Amber', '#f59e0b', 245, 158, 11),
  ('Brick', '#b91c1c', 185, 28, 28),
  ('Plum', '#7e22ce', 126, 34, 206),
  ('Harbour', '#0369a1', 3, 105, 161)
on conflict (name) do nothing;

select * from colors order by name;`,
  },
  {
    name: 'Todo List',
    description: 'Everyone sees and changes their own list.',
    sql: `create table if not exists todo_items (
  id bigint generated always as identity primary key,
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  task text not null check (length(task) > 0),
  is_done boolean not null default false,
  created_at timestamptz not null default now()
);
create index if not exists todo_items_user_id on todo_items (user_id);
alter table todo_items enable row level security;
grant select, insert, update, delete on todo_items to authenticated;

drop policy if exists "People read their own items" on todo_items;
create policy "People read their own items" on todo_items
  for select to authenticated using ((select auth.uid()) = user_id);
drop policy if exists "People add their own items" on todo_items;
create policy "People add their own items" on todo_items
  for insert to authenticated with check ((select auth.uid()) = user_id);
drop policy if exists "People change their own items" on todo_items;
create policy "People change their own items" on todo_items
  for update to authenticated using ((select auth.uid()) = user_id)
  with check ((select auth.uid()) = user_id);
drop policy if exists "People delete their own items" on todo_items;
create policy "People delete their own items" on todo_items
  for delete to authenticated using ((select auth.uid()) = user_id);`,
  },
  {
    name: 'User Management Starter',
    description: 'A profile for every user, created when they sign up.',
    sql: `create table if not exists profiles (
  id uuid primary key references auth.users (id) on delete cascade,
  display_name text check (length(display_name) between 1 and 80),
  avatar_url text,
  updated_at timestamptz not null default now()
);
alter table profiles enable row level security;
grant select, update on profiles to authenticated;

drop policy if exists "Signed-in people read profiles" on profiles;
create policy "Signed-in people read profiles" on profiles
  for select to authenticated using (true);
drop policy if exists "People change their own profile" on profiles;
create policy "People change their own profile" on profiles
  for update to authenticated using ((select auth.uid()) = id) with check ((select auth.uid()) = id);

-- Runs with the rights of its owner, because who signs up may not write here.
create or replace function make_profile()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  insert into public.profiles (id, display_name)
  values (new.id, nullif(new.raw_user_meta_data ->> 'name', ''))
  on conflict (id) do nothing;
  return new;
end;
$$;
revoke execute on function make_profile() from public, anon, authenticated;

create or replace trigger make_profile_of_new_user
after insert on auth.users
for each row execute function make_profile();`,
  },
  {
    name: 'Slack Clone',
    description: 'Channels, their members and messages; only members read and write.',
    sql: `create table if not exists channels (
  id bigint generated always as identity primary key,
  name text not null unique check (name ~ '^[a-z0-9-]{1,40}$'),
  created_by uuid not null default auth.uid() references auth.users (id),
  created_at timestamptz not null default now()
);
create table if not exists channel_members (
  channel_id bigint not null references channels (id) on delete cascade,
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  primary key (channel_id, user_id)
);
create table if not exists messages (
  id bigint generated always as identity primary key,
  channel_id bigint not null references channels (id) on delete cascade,
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  body text not null check (length(body) between 1 and 4000),
  sent_at timestamptz not null default now()
);
create index if not exists messages_channel on messages (channel_id, sent_at desc);
create index if not exists channel_members_user on channel_members (user_id);

alter table channels enable row level security;
alter table channel_members enable row level security;
alter table messages enable row level security;
grant select, insert on channels, messages to authenticated;
grant select, insert, delete on channel_members to authenticated;

drop policy if exists "Signed-in people see channels" on channels;
create policy "Signed-in people see channels" on channels
  for select to authenticated using (true);
drop policy if exists "People open channels" on channels;
create policy "People open channels" on channels
  for insert to authenticated with check ((select auth.uid()) = created_by);
drop policy if exists "People see where they are" on channel_members;
create policy "People see where they are" on channel_members
  for select to authenticated using ((select auth.uid()) = user_id);
drop policy if exists "People join by themselves" on channel_members;
create policy "People join by themselves" on channel_members
  for insert to authenticated with check ((select auth.uid()) = user_id);
drop policy if exists "People leave by themselves" on channel_members;
create policy "People leave by themselves" on channel_members
  for delete to authenticated using ((select auth.uid()) = user_id);
drop policy if exists "Members read messages" on messages;
create policy "Members read messages" on messages
  for select to authenticated using (
    channel_id in (select channel_id from channel_members where user_id = (select auth.uid()))
  );
drop policy if exists "Members write messages" on messages;
create policy "Members write messages" on messages
  for insert to authenticated with check (
    (select auth.uid()) = user_id
    and channel_id in (select channel_id from channel_members where user_id = (select auth.uid()))
  );`,
  },
  {
    name: 'Stripe Subscriptions',
    description: 'Products, prices and subscriptions, filled by webhooks.',
    sql: `do $$ begin
  create type subscription_status as enum ('trialing', 'active', 'past_due', 'paused', 'canceled', 'unpaid');
exception when duplicate_object then null;
end $$;

create table if not exists products (
  id text primary key,
  name text not null,
  is_active boolean not null default true
);
create table if not exists prices (
  id text primary key,
  product_id text not null references products (id),
  currency char(3) not null,
  -- In the smallest unit of the currency
  unit_amount bigint not null check (unit_amount >= 0),
  billing_interval text check (billing_interval in ('day', 'week', 'month', 'year')),
  is_active boolean not null default true
);
create table if not exists subscriptions (
  id text primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  price_id text not null references prices (id),
  status subscription_status not null,
  current_period_end timestamptz not null,
  cancel_at_period_end boolean not null default false
);
create index if not exists prices_product on prices (product_id);
create index if not exists subscriptions_user on subscriptions (user_id);
create index if not exists subscriptions_price on subscriptions (price_id);

alter table products enable row level security;
alter table prices enable row level security;
alter table subscriptions enable row level security;
grant select on products, prices to anon, authenticated;
grant select on subscriptions to authenticated;

-- Only the service key writes here.
drop policy if exists "Everybody sees what is sold" on products;
create policy "Everybody sees what is sold" on products for select using (is_active);
drop policy if exists "Everybody sees prices" on prices;
create policy "Everybody sees prices" on prices for select using (is_active);
drop policy if exists "People see their own subscriptions" on subscriptions;
create policy "People see their own subscriptions" on subscriptions
  for select to authenticated using ((select auth.uid()) = user_id);`,
  },
  {
    name: 'Limit MFA verification attempts to one in 2 seconds',
    description: 'An auth hook that slows down guessing.',
    sql: `create schema if not exists hooks;
grant usage on schema hooks to supabase_auth_admin;

create table if not exists hooks.mfa_attempts (
  user_id uuid not null,
  factor_id uuid not null,
  failed_at timestamptz not null default now(),
  primary key (user_id, factor_id)
);

create or replace function hooks.slow_mfa_down(event jsonb)
returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  last_failure timestamptz;
begin
  if (event ->> 'valid')::boolean then
    return jsonb_build_object('decision', 'continue');
  end if;
  select failed_at into last_failure from hooks.mfa_attempts
  where user_id = (event ->> 'user_id')::uuid and factor_id = (event ->> 'factor_id')::uuid;
  if last_failure > now() - interval '2 seconds' then
    return jsonb_build_object('error', jsonb_build_object(
      'http_code', 429, 'message', 'Please wait a moment before trying again.'));
  end if;
  insert into hooks.mfa_attempts (user_id, factor_id)
  values ((event ->> 'user_id')::uuid, (event ->> 'factor_id')::uuid)
  on conflict (user_id, factor_id) do update set failed_at = now();
  return jsonb_build_object('decision', 'continue');
end;
$$;

grant all on hooks.mfa_attempts to supabase_auth_admin;
grant execute on function hooks.slow_mfa_down to supabase_auth_admin;
revoke execute on function hooks.slow_mfa_down from public, anon, authenticated;`,
  },
  {
    name: 'Add Auth Hook (Custom Access Token)',
    description: 'Adds a custom role to every access token.',
    sql: `create schema if not exists hooks;
grant usage on schema hooks to supabase_auth_admin;

create table if not exists public.user_roles (
  user_id uuid primary key references auth.users (id) on delete cascade,
  role text not null check (role in ('member', 'editor', 'admin'))
);
alter table public.user_roles enable row level security;
grant select on public.user_roles to supabase_auth_admin;
drop policy if exists "The auth service reads roles" on public.user_roles;
create policy "The auth service reads roles" on public.user_roles
  for select to supabase_auth_admin using (true);

create or replace function hooks.add_role_to_token(event jsonb)
returns jsonb
language sql
stable
set search_path = ''
as $$
  select jsonb_set(event, '{claims,user_role}', to_jsonb(coalesce(
    (select role from public.user_roles where user_id = (event ->> 'user_id')::uuid), 'member')));
$$;

grant execute on function hooks.add_role_to_token to supabase_auth_admin;
revoke execute on function hooks.add_role_to_token from public, anon, authenticated;`,
  },
]
