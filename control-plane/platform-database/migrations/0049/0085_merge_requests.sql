-- People ask for the merge of a branch, and others approve what it has.
create table platform.merge_requests (
  id uuid primary key default gen_random_uuid(),
  branch_id uuid not null references platform.branches (id) on delete cascade,
  title text not null,
  description text not null default '',
  state text not null default 'open' check (state in ('open', 'merged', 'closed')),
  -- Who was asked to look at it.
  reviewers uuid[] not null default '{}',
  created_by uuid not null,
  created_at timestamptz not null default now(),
  closed_at timestamptz,
  check ((state = 'open') = (closed_at is null))
);
-- One at a time for a branch.
create unique index merge_requests_open on platform.merge_requests (branch_id) where state = 'open';
create index merge_requests_branch on platform.merge_requests (branch_id, created_at);

-- Comments, and reviews, which are comments with a verdict on what the branch had then.
create table platform.merge_request_notes (
  id bigint generated always as identity primary key,
  request_id uuid not null references platform.merge_requests (id) on delete cascade,
  user_id uuid not null,
  at timestamptz not null default now(),
  verdict text check (verdict in ('approved', 'changes_requested')),
  -- Of what a merge would have carried over.
  digest text,
  body text not null default '',
  check ((verdict is null) = (digest is null))
);
create index merge_request_notes_request on platform.merge_request_notes (request_id, id);

-- How many have to approve before a branch of this project is merged.
alter table platform.branch_settings
  add column merge_approvals integer not null default 0 check (merge_approvals between 0 and 10);

-- A branch that waits in the trash is not asked about.
create function platform.close_merge_requests() returns trigger language plpgsql as $$
begin
  update platform.merge_requests set state = 'closed', closed_at = now() where branch_id = new.id and state = 'open';
  return null;
end $$;
create trigger branches_close_requests after update of deleted on platform.branches
  for each row when (new.deleted and not old.deleted) execute function platform.close_merge_requests();
