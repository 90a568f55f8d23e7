create table books (
  id bigint generated always as identity primary key,
  title text not null,
  year int
);

-- Apps reach a table once it is granted to their role, and see the rows that a policy allows.
alter table books enable row level security;
grant select, insert on books to anon, authenticated;
create policy "Everyone can read books" on books for select to anon, authenticated using (true);
create policy "Everyone can add books" on books for insert to anon, authenticated with check (true);

insert into books (title, year) values ('The Left Hand of Darkness', 1969), ('Kindred', 1979);
