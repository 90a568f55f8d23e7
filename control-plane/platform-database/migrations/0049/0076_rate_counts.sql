-- How often something was tried that has a limit, counted for all programs that answer for it. Without a log of what is written: what
-- a crash forgets lets a few more tries through. A key is a digest, and says nothing of whom it is about.
create unlogged table platform.rate_counts (
  key text primary key,
  points integer not null,
  until timestamptz not null
);
create index on platform.rate_counts (until);
