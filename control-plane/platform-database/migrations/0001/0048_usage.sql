-- What projects use, by the minute, the hour and the day; and the billing cycles that it is counted in.

-- As processes send it: the highest value of each start of a process. Sums and peaks.
create table platform.usage_minutes (
  project_ref text not null,
  metric text not null,
  minute timestamptz not null,
  start_id uuid not null,
  -- Whose project it was then.
  organization_id bigint not null,
  value bigint not null check (value >= 0),
  -- The hour does not have it yet.
  stale boolean not null default true,
  primary key (project_ref, metric, minute, start_id)
);
create index usage_minutes_stale on platform.usage_minutes (minute) where stale;
create index usage_minutes_age on platform.usage_minutes (minute);

-- Sums, peaks, and sizes in bytes. They outlive their projects: what was used is still to be paid.
create table platform.usage_hours (
  organization_id bigint not null,
  project_ref text not null,
  metric text not null,
  hour timestamptz not null,
  value bigint not null check (value >= 0),
  primary key (organization_id, project_ref, metric, hour)
);
create index usage_hours_age on platform.usage_hours (hour);

create table platform.usage_days (
  organization_id bigint not null,
  project_ref text not null,
  metric text not null,
  -- UTC.
  day date not null,
  -- Sums; the highest of peaks; of sizes the sum of the hours that were measured, in byte hours.
  value bigint not null check (value >= 0),
  hours integer not null,
  primary key (organization_id, project_ref, metric, day)
);

-- What counts once in a cycle: users that were active, images that were rendered.
create table platform.usage_sightings (
  organization_id bigint not null,
  project_ref text not null,
  kind text not null,
  cycle_start timestamptz not null,
  -- 16 bytes of a digest.
  hash bytea not null,
  seen_at timestamptz not null,
  primary key (organization_id, kind, cycle_start, project_ref, hash)
);

-- The billing cycles of organizations. The one that goes on has no tier: it goes by the organization's. Kept by the trigger, so
-- that no way of beginning a period can forget it.
create table platform.billing_cycles (
  organization_id bigint not null references platform.organizations (id) on delete cascade,
  started_at timestamptz not null,
  ended_at timestamptz not null,
  tier text,
  primary key (organization_id, started_at)
);

create function platform.keep_billing_cycles() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.period_start = new.period_start then
    update platform.billing_cycles set ended_at = new.period_end
    where organization_id = new.organization_id and started_at = new.period_start;
    return null;
  end if;
  if tg_op = 'UPDATE' then
    update platform.billing_cycles set ended_at = least(ended_at, new.period_start),
      tier = (select tier from platform.organizations where id = new.organization_id)
    where organization_id = new.organization_id and started_at = old.period_start;
  end if;
  insert into platform.billing_cycles (organization_id, started_at, ended_at)
  values (new.organization_id, new.period_start, new.period_end) on conflict do nothing;
  return null;
end $$;
create trigger subscriptions_cycles after insert or update of period_start, period_end on platform.subscriptions
  for each row execute function platform.keep_billing_cycles();
insert into platform.billing_cycles (organization_id, started_at, ended_at)
select organization_id, period_start, period_end from platform.subscriptions;

-- In which organization a project was at a moment.
create index compute_usage_project on platform.compute_usage (project_ref, started_at);
