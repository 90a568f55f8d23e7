-- The plans count the images that were rendered, not how often: each once a month (UTC), whatever its sizes.

create table platform.rendered_images (
  project_ref text not null,
  month date not null,
  -- The id of the object.
  origin uuid not null,
  primary key (project_ref, month, origin)
);
alter table platform.storage_use drop column renders;
