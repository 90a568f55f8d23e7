-- From which networks (CIDR) people connect to a project's database directly; null: from everywhere.

alter table platform.projects add column allowed_networks text[];
