-- The row says from where people may connect, and is written first. This tells whether the project's server goes by it yet;
-- a round gives the row to every server that does not.

alter table platform.projects add column networks_applied boolean not null default true;
