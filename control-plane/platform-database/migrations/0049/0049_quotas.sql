-- What organizations use beyond their plan, and what follows from it.

alter table platform.organizations
  drop constraint organizations_restriction_cause_check,
  add constraint organizations_restriction_cause_check check (restriction_cause in ('overdue', 'operator', 'quota')),
  -- When the last grace period for a quota began: there is one in 60 days at most.
  add column quota_grace_at timestamptz;

-- How far each cause by itself has come. The organization has the harshest of them, or what the operator has set.
create table platform.restriction_stages (
  organization_id bigint not null references platform.organizations (id) on delete cascade,
  cause text not null check (cause in ('overdue', 'quota')),
  status text not null check (status in ('grace_period', 'grace_period_over', 'restricted')),
  grace_period_end timestamptz not null,
  primary key (organization_id, cause)
);
insert into platform.restriction_stages (organization_id, cause, status, grace_period_end)
select id, 'overdue', restriction_status, coalesce(grace_period_end, now()) from platform.organizations
where restriction_cause = 'overdue' and restriction_status is not null;

-- What people were told in a billing cycle, so that they are told once.
create table platform.quota_notices (
  organization_id bigint not null references platform.organizations (id) on delete cascade,
  cycle_start timestamptz not null,
  metric text not null,
  level text not null check (level in ('near', 'exceeded')),
  primary key (organization_id, cycle_start, metric, level)
);
