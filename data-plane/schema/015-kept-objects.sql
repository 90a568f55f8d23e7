-- The customer makes policies and triggers on tables of storage and realtime, and for that has the rights of their owners. What
-- the platform has made there is not theirs to drop, whichever statement would: DROP ... CASCADE, DROP OWNED, ALTER TABLE ...
-- DROP COLUMN. All of this can run again.

create or replace function extensions.refuse_drops() returns event_trigger
language plpgsql set search_path = pg_catalog as $$
declare
  kept constant text[] := array[
    'storage.buckets', 'storage.buckettype', 'storage.migrations', 'storage.objects', 'storage.s3_multipart_uploads',
    'storage.s3_multipart_uploads_parts', 'storage.trash',
    'storage.allow_any_operation', 'storage.allow_only_operation', 'storage.extension', 'storage.filename',
    'storage.foldername', 'storage.give_up_all_trash', 'storage.give_up_trash', 'storage.keep_deleted',
    'storage.keep_truncated', 'storage.list_level', 'storage.list_level_by', 'storage.operation', 'storage.prefix_end',
    'storage.protect_delete', 'storage.search', 'storage.search_v2', 'storage.update_updated_at_column',
    'storage.who_deletes',
    'realtime.messages', 'realtime.schema_migrations', 'realtime.subscription', 'realtime.subscription_id_seq',
    'realtime.access_to', 'realtime.add_partition', 'realtime.broadcast_changes', 'realtime.keep_partitions',
    'realtime.send', 'realtime.send_binary', 'realtime.today_partition', 'realtime.topic', 'realtime.visible_rows'
  ];
  gone text;
begin
  -- Who came in, and not who they act as: the customer may act as the owner.
  if session_user in (
    'supabase_admin', 'supabase_auth_admin', 'supabase_storage_admin', 'plinth_storage', 'supabase_realtime_admin'
  ) then
    return;
  end if;
  select object_identity into gone from pg_event_trigger_dropped_objects()
  where (object_type = 'schema' and object_name in ('auth', 'storage', 'realtime', 'graphql_public', 'extensions'))
    or (object_type in ('table', 'table column', 'sequence', 'function', 'type')
      and array_to_string(address_names[1:2], '.') = any (kept))
  limit 1;
  if gone is not null then
    raise exception '% belongs to the platform and cannot be dropped', gone
      using errcode = '42501', hint = 'Policies, triggers and what you made yourself can be dropped.';
  end if;
end
$$;

do $$
begin
  if not exists (select from pg_event_trigger where evtname = 'plinth_kept_objects') then
    create event trigger plinth_kept_objects on sql_drop execute function extensions.refuse_drops();
  end if;
end
$$;
-- The customer may say what session they are in (session_replication_role); this holds in any.
alter event trigger plinth_kept_objects enable always;
