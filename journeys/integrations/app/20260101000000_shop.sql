create extension if not exists pg_cron with schema pg_catalog;
create extension if not exists pg_net with schema extensions;
create extension if not exists pgmq;
create extension if not exists supabase_vault with schema vault cascade;
create extension if not exists pgjwt with schema extensions;
create extension if not exists pgcrypto with schema extensions;
create extension if not exists "uuid-ossp" with schema extensions;
create extension if not exists pg_trgm with schema extensions;
create extension if not exists citext with schema extensions;
create extension if not exists http with schema extensions;
create extension if not exists hypopg with schema extensions;
create extension if not exists index_advisor with schema extensions;
create extension if not exists pg_graphql with schema graphql;
create extension if not exists pg_stat_statements with schema extensions;

create table public.orders (
  id uuid primary key default extensions.uuid_generate_v4(),
  email extensions.citext not null,
  title text not null,
  total numeric not null check (total > 0),
  created_at timestamptz not null default now()
);
alter table public.orders enable row level security;
create policy "Anyone may order" on public.orders for insert to anon, authenticated with check (true);
grant insert on public.orders to anon, authenticated;
create index orders_title_idx on public.orders using gin (title extensions.gin_trgm_ops);

create table public.sent_mails (
  id bigint generated always as identity primary key,
  order_id uuid not null unique references public.orders on delete cascade,
  token text not null,
  sent_at timestamptz not null default now()
);
alter table public.sent_mails enable row level security;
create table public.sessions (id int primary key, expires_at timestamptz not null);
alter table public.sessions enable row level security;
insert into public.sessions values (1, now() - interval '1 day'), (2, now() + interval '1 day');

select pgmq.create('mails');

-- Each order is a message, in the same transaction.
create schema private;
create function private.queue_mail() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform pgmq.send('mails', jsonb_build_object('order', new.id, 'email', new.email));
  return new;
end
$$;
create trigger queue_mail after insert on public.orders for each row execute function private.queue_mail();

-- The worker: takes what waits, notes it with a signed token, and deletes it.
create function private.send_mails() returns integer language plpgsql security definer set search_path = '' as $$
declare
  message record;
  sent integer := 0;
begin
  for message in select * from pgmq.read('mails', 30, 10) loop
    insert into public.sent_mails (order_id, token) values (
      (message.message ->> 'order')::uuid,
      extensions.sign(message.message::json, (select decrypted_secret from vault.decrypted_secrets where name = 'mail_key'))
    ) on conflict (order_id) do nothing;
    perform pgmq.delete('mails', message.msg_id);
    sent := sent + 1;
  end loop;
  return sent;
end
$$;
select vault.create_secret('a key that signs mails', 'mail_key', 'Signs the tokens in mails');

select cron.schedule('send-mails', '2 seconds', 'select private.send_mails()');
select cron.schedule('delete-old-sessions', '3 seconds', $$delete from public.sessions where expires_at < now()$$);
