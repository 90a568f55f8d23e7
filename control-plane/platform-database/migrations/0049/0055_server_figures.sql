-- What servers read from and write to their disks, and how often they were started again.

alter table platform.metric_samples
  -- Bytes in the time that the sample stands for; null: nobody counts them.
  add column read_bytes bigint,
  add column written_bytes bigint,
  add column restarts integer;

-- The start of each server that was seen last, by what compute calls it, and how many came after the first.
create table platform.server_starts (
  project_id bigint primary key references platform.projects on delete cascade,
  start text not null,
  restarts bigint not null default 0
);
