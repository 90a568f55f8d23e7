-- Mails of the platform (invitations, support, invoices) until they are sent. The content is sealed, because links in it
-- are as good as a key, and emptied once the mail server has it.
create table platform.outgoing_mails (
  id uuid primary key,
  recipient text not null,
  sealed_content text not null,
  queued_at timestamptz not null default now(),
  sent_at timestamptz
);
create index outgoing_mails_sent on platform.outgoing_mails (sent_at) where sent_at is not null;
