-- Jobs by a schedule, by the public names of pg_cron. The platform carries them out (data-plane/cron): it hears of changes by
-- NOTIFY, claims each tick in `_ticks`, and notes every run in `job_run_details`.

create schema cron;

create sequence cron.jobid_seq;
create table cron.job (
  jobid bigint primary key default pg_catalog.nextval('cron.jobid_seq'),
  schedule text not null,
  command text not null,
  nodename text not null default 'localhost',
  nodeport integer not null default pg_catalog.current_setting('port')::integer,
  database text not null default pg_catalog.current_database(),
  username text not null default current_user,
  active boolean not null default true,
  jobname text,
  constraint jobname_username_uniq unique (jobname, username)
);
create sequence cron.runid_seq;
create table cron.job_run_details (
  jobid bigint,
  runid bigint primary key default pg_catalog.nextval('cron.runid_seq'),
  job_pid integer,
  database text,
  username text,
  command text,
  status text,
  return_message text,
  start_time timestamptz,
  end_time timestamptz
);
create index job_run_details_jobid_idx on cron.job_run_details (jobid, runid desc);
create index job_run_details_start_time_idx on cron.job_run_details (start_time);
alter sequence cron.jobid_seq owned by cron.job.jobid;
alter sequence cron.runid_seq owned by cron.job_run_details.runid;

-- The newest moment for which a job was begun: no process begins it for the same, or an earlier one, again.
create table cron._ticks (jobid bigint primary key references cron.job on delete cascade, tick timestamptz not null);
-- The project for which the jobs were made. In a copy of it they are switched off before anything runs.
create table cron._project (ref text primary key);

select pg_catalog.pg_extension_config_dump('cron.job', '');
select pg_catalog.pg_extension_config_dump('cron.jobid_seq', '');
select pg_catalog.pg_extension_config_dump('cron.job_run_details', '');
select pg_catalog.pg_extension_config_dump('cron.runid_seq', '');
select pg_catalog.pg_extension_config_dump('cron._project', '');

-- Everybody who may use the tables at all sees and changes their own jobs.
alter table cron.job enable row level security;
create policy cron_job_policy on cron.job using (username = current_user);
alter table cron.job_run_details enable row level security;
create policy cron_job_run_details_policy on cron.job_run_details using (username = current_user);

create function cron.job_cache_invalidate() returns trigger
language plpgsql set search_path = pg_catalog as $$
begin
  perform pg_notify('plinth_cron', '');
  return null;
end
$$;
create trigger cron_job_cache_invalidate after insert or update or delete or truncate on cron.job
for each statement execute function cron.job_cache_invalidate();

-- A job as somebody else is for who could act as them, whatever rights they have on the table.
create function cron._check_username() returns trigger
language plpgsql set search_path = pg_catalog as $$
begin
  if not exists (select from pg_roles where rolname = new.username and pg_has_role(oid, 'member')) then
    raise exception 'permission denied to run jobs as "%"', new.username using errcode = '42501';
  end if;
  return new;
end
$$;
create trigger cron_check_username before insert or update of username on cron.job
for each row execute function cron._check_username();

-- One field of a schedule: numbers from `low` to `high`, ranges, steps and lists of them, and names where it has some.
create function cron._is_field(field text, low integer, high integer, names text[]) returns boolean
language sql immutable set search_path = pg_catalog as $$
  select bool_and(
    part ~ '^(\*|[0-9a-z]+(-[0-9a-z]+)?)(/[1-9][0-9]{0,2})?$'
    and not exists (
      select from regexp_split_to_table(split_part(part, '/', 1), '-') as side
      where side <> '*' and not case when side ~ '^[0-9]{1,3}$' then side::integer between low and high else side = any (names) end
    )
  )
  from regexp_split_to_table(lower(field), ',') as part
$$;

-- Five fields, `$` for the last day of the month, or a number of seconds.
create function cron._check_schedule(schedule text) returns void
language plpgsql immutable set search_path = pg_catalog as $$
declare
  field constant text[] := regexp_split_to_array(trim(schedule), '\s+');
begin
  if trim(schedule) ~* '^([1-9]|[1-5][0-9])\s+seconds?$' then
    return;
  end if;
  if coalesce(cardinality(field) = 5
    and cron._is_field(field[1], 0, 59, '{}')
    and cron._is_field(field[2], 0, 23, '{}')
    and (field[3] = '$' or cron._is_field(field[3], 1, 31, '{}'))
    and cron._is_field(field[4], 1, 12, '{jan,feb,mar,apr,may,jun,jul,aug,sep,oct,nov,dec}')
    and cron._is_field(field[5], 0, 7, '{sun,mon,tue,wed,thu,fri,sat}'), false) then
    return;
  end if;
  raise exception 'invalid schedule: %', schedule
    using errcode = '22023', hint = 'Use cron format (e.g. 5 4 * * *), or interval format ''[1-59] seconds''';
end
$$;

create function cron.schedule(schedule text, command text) returns bigint
language plpgsql set search_path = pg_catalog as $$
declare
  id bigint;
begin
  perform cron._check_schedule(schedule);
  insert into cron.job (schedule, command) values (schedule.schedule, schedule.command) returning jobid into id;
  return id;
end
$$;

create function cron.schedule(job_name text, schedule text, command text) returns bigint
language plpgsql set search_path = pg_catalog as $$
declare
  id bigint;
begin
  perform cron._check_schedule(schedule);
  if job_name is null then
    raise exception 'job_name can not be NULL' using errcode = '22004';
  end if;
  insert into cron.job (jobname, schedule, command) values (job_name, schedule.schedule, schedule.command)
  on conflict on constraint jobname_username_uniq do update set schedule = excluded.schedule, command = excluded.command
  returning jobid into id;
  return id;
end
$$;

create function cron._one_database(database text) returns void
language plpgsql stable set search_path = pg_catalog as $$
begin
  if database is distinct from current_database() then
    raise exception 'Jobs run in the database "%" only: a project has no other', current_database() using errcode = '0A000';
  end if;
end
$$;

create function cron.schedule_in_database(
  job_name text, schedule text, command text, database text, username text default null, active boolean default true
) returns bigint
language plpgsql set search_path = pg_catalog as $$
declare
  id bigint;
begin
  perform cron._check_schedule(schedule), cron._one_database(database);
  if job_name is null then
    raise exception 'job_name can not be NULL' using errcode = '22004';
  end if;
  insert into cron.job as j (jobname, schedule, command, username, active)
  values (
    job_name, schedule_in_database.schedule, schedule_in_database.command,
    coalesce(schedule_in_database.username, current_user), schedule_in_database.active
  )
  on conflict on constraint jobname_username_uniq
  do update set schedule = excluded.schedule, command = excluded.command, active = excluded.active
  returning jobid into id;
  return id;
end
$$;

create function cron.alter_job(
  job_id bigint, schedule text default null, command text default null, database text default null,
  username text default null, active boolean default null
) returns void
language plpgsql set search_path = pg_catalog as $$
begin
  if schedule is not null then
    perform cron._check_schedule(schedule);
  end if;
  perform cron._one_database(coalesce(database, current_database()));
  update cron.job j set
    schedule = coalesce(alter_job.schedule, j.schedule),
    command = coalesce(alter_job.command, j.command),
    username = coalesce(alter_job.username, j.username),
    active = coalesce(alter_job.active, j.active)
  where j.jobid = job_id;
  if not found then
    raise exception 'Job % does not exist or you don''t own it', job_id using errcode = '42704';
  end if;
end
$$;

create function cron.unschedule(job_id bigint) returns boolean
language plpgsql set search_path = pg_catalog as $$
begin
  delete from cron.job where jobid = job_id;
  if not found then
    raise exception 'could not find valid entry for job %', job_id using errcode = '42704';
  end if;
  return true;
end
$$;

create function cron.unschedule(job_name text) returns boolean
language plpgsql set search_path = pg_catalog as $$
begin
  delete from cron.job where jobname = job_name and username = current_user;
  if not found then
    raise exception 'could not find valid entry for job ''%''', job_name using errcode = '42704';
  end if;
  return true;
end
$$;
