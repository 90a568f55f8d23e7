-- Whether requests may come without a key, as the anonymous role: for apps that were made for a data API without keys.

alter table platform.projects add column keys_optional boolean not null default false;
