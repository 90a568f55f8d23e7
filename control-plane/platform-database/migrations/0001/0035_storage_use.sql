-- What the storage of projects gives away, by the day (UTC). Days of removed projects stay: they are still to be paid.

create table platform.storage_use (
  project_ref text not null,
  day date not null,
  -- Bytes.
  egress bigint not null,
  -- Images that were not in the cache.
  renders bigint not null,
  primary key (project_ref, day)
);
