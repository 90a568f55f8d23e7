import type { Roles } from './alone.ts'

/** Tables of all kinds of values and keys, for requests to two servers. */
export const peerSchema = ({ anon, user }: Roles): string => `
  create table authors (id int primary key, name text not null, born date);
  comment on table authors is 'Who writes';
  create type mood as enum ('dark', 'light');
  create table books (id int primary key, title text not null, pages int default 100, price numeric(8, 2),
    author_id int references authors, tags text[] default '{}', data jsonb, feel mood, during int4range,
    words tsvector generated always as (to_tsvector('english', title)) stored,
    unique (title, author_id));
  create table shops (id int primary key, name text, head_id int references shops);
  create table stock (shop_id int references shops, book_id int references books, amount int,
    primary key (shop_id, book_id));
  create table covers (book_id int primary key references books, colour text);
  create table "odd names" ("the id" int primary key, "a,b" text, "Ünï" text);
  create table secrets (id int primary key, owner text default current_user);
  alter table secrets enable row level security;
  create policy own on secrets using (owner = current_setting('request.jwt.claims')::json->>'sub');
  create table nothing (id int);
  create view long_books as select id, title, pages, author_id from books where pages > 150;
  insert into authors values (1, 'Austen', '1775-12-16'), (2, 'Joyce', '1882-02-02'), (3, 'Nobody', null);
  insert into books (id, title, pages, price, author_id, tags, data, feel, during) values
    (1, 'Emma', 474, 9.99, 1, '{classic,love}', '{"isbn": "a1", "deep": {"list": [1, 2, {"x": "y"}]}}', 'light', '[1815,1816)'),
    (2, 'Ulysses', 730, 12.50, 2, '{classic,hard}', '{"isbn": "b2", "n": 5}', 'dark', '[1914,1922)'),
    (3, 'Dubliners', 152, null, 2, '{}', null, null, '[1904,1907)'),
    (4, 'Notes, "quoted"', null, 1, null, '{"a b","c,d"}', '[]', 'dark', null);
  insert into shops values (1, 'Corner', null), (2, 'Station', 1), (3, 'Harbour', 1);
  insert into stock values (1, 1, 3), (1, 2, 1), (2, 1, 7), (3, 3, 2);
  insert into covers values (1, 'green'), (2, 'blue');
  insert into "odd names" values (1, 'x', 'y'), (2, 'a"b', null);
  insert into secrets values (1, 'ada'), (2, 'bob');
  create domain seven as int default 7;
  create table defaulted (id int primary key, seven seven);
  create function overloaded(a int) returns text language sql immutable return 'one';
  create function overloaded(a int, b int) returns text language sql immutable return 'two';
  create function of_length(a char(3), b bit(3)) returns text language sql immutable return a || b::text;
  create function cookies() returns void language plpgsql volatile as $$ begin
    perform set_config('response.headers', '[{"Set-Cookie":"a=1"},{"Set-Cookie":"b=2"}]', true); end $$;
  create function add(a int, b int default 2) returns int language sql immutable return a + b;
  create function books_of(author int) returns setof books language sql stable as
    'select * from public.books where author_id = author order by id';
  create function one_book() returns books language sql stable as 'select * from public.books where id = 1';
  create function names() returns setof text language sql stable as 'select name from public.authors order by id';
  create function pair() returns table (a int, b text) language sql stable as $$ values (1, 'x'), (2, 'y') $$;
  create function nothing_at_all() returns void language sql volatile as '';
  create function echo(json) returns json language sql immutable return $1;
  create function joined(variadic words text[]) returns text language sql immutable return array_to_string(words, '-');
  create function no_text() returns text language sql stable as 'select null::text';
  create function chosen() returns text language plpgsql volatile as $$ begin
    perform set_config('response.status', '202', true);
    perform set_config('response.headers', '[{"X-Made": "yes"}, {"Cache-Control": "no-store"}]', true); return 'ok'; end $$;
  create function fails(code text) returns void language plpgsql volatile as $$ begin
    raise exception using errcode = code, message = 'told', detail = 'more', hint = 'try'; end $$;
  create function request_seen() returns json language sql volatile as $$ select json_build_object(
    'role', current_user, 'method', current_setting('request.method'), 'path', current_setting('request.path'),
    'claims', current_setting('request.jwt.claims')::json->'role', 'zone', current_setting('timezone')) $$;
  create function total_pages(authors) returns bigint language sql stable as
    'select sum(pages) from public.books where author_id = $1.id';
  create schema other;
  create table other.things (id int primary key, name text);
  insert into other.things values (1, 'thing');
  grant usage on schema other to ${anon}, ${user};
  grant select on all tables in schema public, other to ${anon}, ${user};
  revoke all on nothing from ${anon};
  grant all on all tables in schema public to ${user};
  grant all on all tables in schema other to ${user}`

/** Beside it: composites, views as junctions, several keys to one table. These make some of the others ambiguous. */
export const peerMoreSchema = (roles: Roles): string => `
  create type place as (street text, number int);
  create function places() returns setof place language sql stable as $$ values ('High', 1), ('Low', 2) $$;
  create function a_place() returns place language sql stable as $$ select 'High', 1 $$;
  create function no_place() returns place language sql stable as $$ select null::text, null::int where false $$;
  create function nested() returns table (id int, at place, kept jsonb) language sql stable as
    $$ values (1, row('High', 1)::place, '{"a": {"b": 2}}'::jsonb) $$;
  create function unnamed_text(text) returns text language sql immutable return $1;
  create function unnamed_int(int) returns int language sql immutable return $1;
  create function unnamed_bytes(bytea) returns bytea language sql immutable return $1;
  create function sum_of(numbers int[]) returns bigint language sql immutable return (select sum(n) from unnest(numbers) n);
  create table sites (id int primary key, at place, note text);
  insert into sites values (1, row('High', 1), 'x'), (2, null, null);
  create table keyless (a int, b text);
  create table paired (a int, b int, note text, primary key (a, b));
  create table nullable (id int primary key, code text unique, other text);
  create table filled (a int, b int default 5, primary key (a, b));
  create view keyed_view as select a, b from filled;
  ${peerSchema(roles).replace(
    '  create schema other;',
    `
  create function no_book() returns books language sql stable as 'select * from public.books where id = 99';
  create view stock_view as select shop_id, book_id, amount from stock;
  create view shops_view as select id, name from shops;
  create view covers_view as select book_id, colour from covers;
  create view books_view as select id, title, author_id from books;
  create table reviews (id int primary key, book_id int references books, editor_id int references authors,
    writer_id int references authors, stars int);
  insert into reviews values (1, 1, 1, 2, 5), (2, 1, 2, 2, 3), (3, 2, 3, 1, 4);
  create schema other;`,
  )}`
