-- What the workers of functions used beside how often they were called. Services have none of it.

alter table platform.request_counts
  add column cpu_ms bigint not null default 0,
  -- The most at any moment.
  add column memory_mb integer not null default 0;
