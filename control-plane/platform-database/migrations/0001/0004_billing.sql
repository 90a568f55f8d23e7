-- What organizations subscribe to, what they owe and have paid. Money is whole US cents; owed is positive.

alter table platform.organizations
  add column restriction_status text check (restriction_status in ('grace_period', 'grace_period_over', 'restricted')),
  add column grace_period_end timestamptz,
  -- Who set the status: the overdue invoices, or the operator, whose word only the operator takes back.
  add column restriction_cause text check (restriction_cause in ('overdue', 'operator')),
  add column billing_partner text check (billing_partner in ('vercel_marketplace', 'aws_marketplace', 'fly'));

-- The period an organization is in. Its tier stands in platform.organizations.
create table platform.subscriptions (
  organization_id bigint primary key references platform.organizations (id) on delete cascade,
  -- Periods are counted from here: the n-th ends n months later, at the same time of day.
  anchor timestamptz not null,
  period_start timestamptz not null,
  period_end timestamptz not null check (period_end > period_start),
  -- A downgrade that waits for the end of the period.
  scheduled_tier text
);
create index subscriptions_due on platform.subscriptions (period_end);

-- Numbers without gaps: a sequence would lose one with every transaction that is rolled back.
create table platform.invoice_counter (one boolean primary key default true check (one), last bigint not null);
insert into platform.invoice_counter (last) values (0);

-- Outlive their organization, as books do.
create table platform.invoices (
  id uuid primary key default gen_random_uuid(),
  organization_id bigint not null,
  -- What makes a second run for the same thing find the first one: `cycle:2026-02-01T00:00:00.000Z`.
  key text not null,
  number text unique,
  reason text not null check (reason in ('subscription_start', 'subscription_cycle', 'subscription_change', 'credit_top_up')),
  status text not null check (status in ('draft', 'open', 'paid', 'void', 'uncollectible')),
  total bigint not null,
  credit_applied bigint not null default 0,
  amount_due bigint not null default 0,
  amount_paid bigint not null default 0,
  period_start timestamptz not null,
  period_end timestamptz not null,
  created_at timestamptz not null,
  issued_at timestamptz,
  due_at timestamptz,
  paid_at timestamptz,
  -- Name, address and tax numbers as they were when it was issued: a later change is not for this invoice.
  bill_to jsonb,
  unique (organization_id, key),
  check ((status = 'draft') = (number is null))
);
create index invoices_organization on platform.invoices (organization_id, created_at desc, id);
create index invoices_unpaid on platform.invoices (organization_id, due_at) where status in ('open', 'uncollectible');

create table platform.invoice_lines (
  invoice_id uuid not null references platform.invoices (id),
  position integer not null,
  kind text not null,
  description text not null,
  quantity double precision not null,
  unit text not null,
  unit_price bigint,
  amount bigint not null,
  project_ref text,
  compute_size text,
  period_start timestamptz not null,
  period_end timestamptz not null,
  primary key (invoice_id, position)
);

-- Every movement of money, for ever. The balance of an organization is the sum of its entries.
create table platform.ledger_entries (
  id bigint generated always as identity primary key,
  organization_id bigint not null,
  kind text not null check (kind in ('charge', 'credit', 'payment', 'refund', 'adjustment')),
  amount bigint not null,
  description text not null,
  invoice_id uuid references platform.invoices (id),
  -- A second booking of the same thing is no second entry.
  key text not null,
  occurred_at timestamptz not null,
  unique (organization_id, key)
);
create index ledger_invoice on platform.ledger_entries (invoice_id);

create function platform.refuse_ledger_change() returns trigger language plpgsql as $$
begin
  raise exception 'ledger entries can only be added';
end $$;
create trigger ledger_append_only before update or delete or truncate on platform.ledger_entries
  for each statement execute function platform.refuse_ledger_change();

-- An invoice of which the books know stays as it was issued; only how it is paid goes on.
create function platform.refuse_invoice_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or (old.status <> 'draft' and
     (new.total, new.number, new.key, new.amount_due, new.credit_applied, new.organization_id, new.period_start, new.period_end)
       is distinct from
     (old.total, old.number, old.key, old.amount_due, old.credit_applied, old.organization_id, old.period_start, old.period_end))
  then
    raise exception 'an issued invoice can not be changed';
  end if;
  return new;
end $$;
create trigger invoices_stay before update or delete on platform.invoices
  for each row execute function platform.refuse_invoice_change();

-- One job per organization and period: the row that is there is the run that was accepted.
create table platform.billing_runs (
  organization_id bigint not null,
  period_end timestamptz not null,
  job_id uuid not null,
  primary key (organization_id, period_end)
);

-- When a project's compute ran, in which organization and size. Kept by the trigger below, so that no way of changing a
-- project's status, size or organization can forget it.
create table platform.compute_usage (
  id bigint generated always as identity primary key,
  organization_id bigint not null,
  project_ref text not null,
  project_name text not null,
  compute_size text not null,
  started_at timestamptz not null,
  ended_at timestamptz check (ended_at >= started_at)
);
create unique index compute_usage_open on platform.compute_usage (project_ref) where ended_at is null;
create index compute_usage_organization on platform.compute_usage (organization_id, started_at);

create function platform.compute_is_billed(status text) returns boolean language sql immutable as $$
  select status in ('ACTIVE_HEALTHY', 'ACTIVE_UNHEALTHY', 'RESTARTING', 'RESIZING', 'UPGRADING', 'PAUSE_FAILED')
$$;

create function platform.keep_compute_usage() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and platform.compute_is_billed(old.status) = platform.compute_is_billed(new.status)
     and old.compute_size = new.compute_size and old.organization_id = new.organization_id then
    return null;
  end if;
  update platform.compute_usage set ended_at = greatest(started_at, clock_timestamp())
  where project_ref = new.ref and ended_at is null;
  if platform.compute_is_billed(new.status) then
    insert into platform.compute_usage (organization_id, project_ref, project_name, compute_size, started_at)
    values (new.organization_id, new.ref, new.name, new.compute_size, clock_timestamp());
  end if;
  return null;
end $$;
create trigger projects_compute_usage after insert or update of status, compute_size, organization_id on platform.projects
  for each row execute function platform.keep_compute_usage();

-- Projects that run while this is added begin to count now.
insert into platform.compute_usage (organization_id, project_ref, project_name, compute_size, started_at)
select organization_id, ref, name, compute_size, now() from platform.projects where platform.compute_is_billed(status);

-- Fixed add-ons of a project and when they were on; written by the features that provide them.
create table platform.add_on_usage (
  id bigint generated always as identity primary key,
  organization_id bigint not null,
  project_ref text not null,
  project_name text not null,
  variant text not null,
  started_at timestamptz not null,
  ended_at timestamptz check (ended_at >= started_at)
);
create unique index add_on_usage_open on platform.add_on_usage (project_ref, variant) where ended_at is null;
create index add_on_usage_organization on platform.add_on_usage (organization_id, started_at);

create table platform.billing_customers (
  organization_id bigint primary key references platform.organizations (id) on delete cascade,
  name text,
  additional_emails text[] not null default '{}',
  address jsonb,
  -- The payment provider's own id for it.
  external_id text unique
);

create table platform.tax_ids (
  id uuid primary key default gen_random_uuid(),
  organization_id bigint not null references platform.organizations (id) on delete cascade,
  type text not null,
  country text not null,
  value text not null,
  inserted_at timestamptz not null default now(),
  unique (organization_id, type, value)
);

-- Events of the payment provider that were taken in: one that comes again changes nothing.
create table platform.payment_events (
  id text primary key,
  type text not null,
  received_at timestamptz not null default now()
);

create table platform.downgrade_feedback (
  id bigint generated always as identity primary key,
  organization_id bigint references platform.organizations (id) on delete set null,
  reasons text[] not null,
  message text not null,
  inserted_at timestamptz not null default now()
);
create index downgrade_feedback_organization on platform.downgrade_feedback (organization_id);
