-- Roles for single projects, and invitations.

-- Null: this member has roles for single projects instead.
alter table platform.members alter column role drop not null;

-- A role that one member has for some projects. Its id never looks like one of the roles for whole organizations.
create table platform.project_roles (
  id bigint generated always as identity (start with 1001) primary key,
  organization_id bigint not null,
  user_id uuid not null,
  base_role text not null check (base_role in ('Owner', 'Administrator', 'Developer', 'Read-only')),
  inserted_at timestamptz not null default now(),
  unique (organization_id, user_id, base_role),
  unique (id, user_id),
  foreign key (organization_id, user_id) references platform.members (organization_id, user_id) on delete cascade
);

-- A member has one role in a project.
create table platform.project_role_projects (
  project_id bigint not null references platform.projects (id) on delete cascade,
  user_id uuid not null,
  role_id bigint not null,
  primary key (project_id, user_id),
  foreign key (role_id, user_id) references platform.project_roles (id, user_id) on delete cascade
);
create index project_role_projects_role on platform.project_role_projects (role_id);

create table platform.invitations (
  id bigint generated always as identity primary key,
  organization_id bigint not null references platform.organizations (id) on delete cascade,
  -- Lower case.
  email text not null,
  role text not null check (role in ('Owner', 'Administrator', 'Developer', 'Read-only')),
  -- Null: the role is for the whole organization.
  project_ids bigint[],
  -- SHA-256 of the token in hex: the token itself stands in the mail alone.
  token_hash text not null unique,
  invited_by uuid not null,
  invited_by_email text not null,
  invited_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- Accepted, revoked, or replaced by a newer one.
  closed_at timestamptz
);
create unique index invitations_open on platform.invitations (organization_id, email) where closed_at is null;
create index invitations_organization on platform.invitations (organization_id, id);

-- When invitation mails left, to limit how many an organization sends.
create table platform.invitation_mails (
  id bigint generated always as identity primary key,
  organization_id bigint not null references platform.organizations (id) on delete cascade,
  sent_at timestamptz not null default now()
);
create index invitation_mails_sent on platform.invitation_mails (organization_id, sent_at);
