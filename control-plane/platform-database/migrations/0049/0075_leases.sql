-- Who does what only one program of an installation may do, and which programs are there. A lease that nobody renews is over by itself;
-- all times are of this database, so that the clocks of machines do not matter.
create table platform.leases (
  name text primary key,
  holder text not null,
  expires_at timestamptz not null
);
