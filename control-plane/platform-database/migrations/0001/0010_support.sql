-- Requests for help, and news for people.

create table platform.support_tickets (
  id bigint generated always as identity primary key,
  user_id uuid not null references platform.profiles (user_id),
  organization_id bigint references platform.organizations (id) on delete set null,
  project_ref text,
  category text not null,
  severity text not null,
  subject text not null,
  message text not null,
  -- Library, path, report of the error screen, whether help may look into the project.
  details jsonb not null,
  inserted_at timestamptz not null default now()
);
create index support_tickets_user on platform.support_tickets (user_id, id desc);

create table platform.support_attachments (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references platform.profiles (user_id),
  -- Null until a request names the file.
  ticket_id bigint references platform.support_tickets (id) on delete cascade,
  name text not null,
  content_type text not null,
  content bytea not null,
  inserted_at timestamptz not null default now()
);
create index support_attachments_loose on platform.support_attachments (user_id, inserted_at) where ticket_id is null;
create index support_attachments_ticket on platform.support_attachments (ticket_id);

create table platform.notifications (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references platform.profiles (user_id) on delete cascade,
  organization_id bigint references platform.organizations (id) on delete cascade,
  project_ref text,
  name text not null,
  priority text not null check (priority in ('Critical', 'Warning', 'Info')),
  status text not null default 'new' check (status in ('new', 'seen', 'archived')),
  title text not null,
  message text not null,
  actions jsonb not null default '[]',
  inserted_at timestamptz not null default now()
);
create index notifications_inbox on platform.notifications (user_id, inserted_at desc, id);
create index notifications_unread on platform.notifications (user_id, priority) where status = 'new';
create index notifications_organization on platform.notifications (organization_id);
