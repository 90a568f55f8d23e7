-- Tells a function of the project of each order, with a secret that stands nowhere in plain text.
create extension if not exists pg_net;
select vault.create_secret('s3cr3t of the hook', 'hook_key');

create function private.tell_order() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform net.http_post(
    url := (select decrypted_secret from vault.decrypted_secrets where name = 'project_url') || '/functions/v1/ordered',
    headers := jsonb_build_object(
      'Content-Type', 'application/json',
      'X-Hook-Key', (select decrypted_secret from vault.decrypted_secrets where name = 'hook_key')
    ),
    body := jsonb_build_object('type', 'INSERT', 'record', to_jsonb(new))
  );
  return new;
end
$$;
create trigger tell_order after insert on public.orders for each row execute function private.tell_order();

-- What was there is dropped and created again, as people do who begin anew.
drop extension pgjwt;
create extension if not exists pgjwt with schema extensions;
select cron.unschedule('delete-old-sessions');
select cron.schedule('delete-old-sessions', '3 seconds', $$delete from public.sessions where expires_at < now()$$);
select pgmq.create('audit');
select pgmq.drop_queue('audit');
drop extension if exists http;
create extension http with schema extensions;
drop extension if exists index_advisor;
create extension if not exists index_advisor with schema extensions cascade;
