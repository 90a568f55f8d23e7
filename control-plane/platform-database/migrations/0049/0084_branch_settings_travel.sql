-- A branch takes over settings and buckets of its parent, and a merge gives them back.
alter table platform.branches
  -- What the parent had of each area when it was last taken over, by area and name. An area that is not there was never compared: what
  -- the branch has there counts as taken over.
  add column base_settings jsonb not null default '{}',
  -- By whom the last job was ordered and from where, and what it is to do.
  add column ordered jsonb;
