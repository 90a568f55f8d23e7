-- Queries of logs and reports are kept as queries of the database are.
alter table platform.snippets drop constraint snippets_type_check;
alter table platform.snippets add constraint snippets_type_check check (type in ('sql', 'log_sql', 'report'));
