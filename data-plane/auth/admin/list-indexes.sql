-- What the lists of users and of audit entries are read by, beside the tables that clients know (schema.sql). A new
-- project has these from the start; one from before gets them while it runs (list-indexes.ts), so each statement here is
-- one index and nothing else, and can run again.
create index if not exists users_list_created_idx on auth.users ((coalesce(created_at, '-infinity'::timestamptz)), id);
create index if not exists users_list_signed_in_idx on auth.users ((coalesce(last_sign_in_at, '-infinity'::timestamptz)), id);
create index if not exists users_list_email_idx on auth.users ((lower(coalesce(email, ''))) collate "C", id);
create index if not exists users_list_phone_idx on auth.users ((coalesce(phone, '')) collate "C", id);
create index if not exists users_list_words_idx on auth.users using gin ((jsonb_to_tsvector('simple', coalesce(raw_user_meta_data, '{}'), '["string", "numeric"]') || jsonb_to_tsvector('simple', coalesce(raw_app_meta_data, '{}'), '["string", "numeric"]')));
create index if not exists users_list_providers_idx on auth.users using gin ((coalesce(raw_app_meta_data -> 'providers', '[]')));
create index if not exists users_list_anonymous_idx on auth.users ((coalesce(created_at, '-infinity'::timestamptz)), id) where is_anonymous;
create index if not exists users_list_unverified_idx on auth.users ((coalesce(created_at, '-infinity'::timestamptz)), id) where confirmed_at is null and not is_anonymous;
create index if not exists users_list_banned_idx on auth.users (banned_until) where banned_until is not null;
create index if not exists audit_list_action_idx on auth.audit_log_entries ((payload ->> 'action'), created_at desc);
create index if not exists audit_list_actor_idx on auth.audit_log_entries ((payload ->> 'actor_id'), created_at desc);
create index if not exists audit_list_actor_name_idx on auth.audit_log_entries ((lower(payload ->> 'actor_username')), created_at desc);
create index if not exists audit_list_subject_idx on auth.audit_log_entries ((payload #>> '{traits,user_id}'), created_at desc) where payload #>> '{traits,user_id}' is not null;
insert into auth.schema_migrations (version) values ('0003_list_indexes') on conflict do nothing;
